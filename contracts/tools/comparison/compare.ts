import type { ServiceName } from '../../../spec/documents/services.ts';
import { jsonSchema, type OpenApi, type Operation } from '../../../spec/openapi/document.ts';
import {
  eventsOf,
  findOperation,
  nearestOperation,
  openApi,
  type ProviderOperation,
  rootedPath,
} from '../../../spec/openapi/operations.ts';
import { Hider, secretsIn } from '../secrets.ts';
import {
  acceptsStatus,
  eventTypeOf,
  type HttpInteraction,
  type MessageInteraction,
  type PactFile,
  type PactInteraction,
} from '../verification/pact-file.ts';
import { statesOf } from '../verification/reports/report.ts';
import { type Comparator, openComparator, type Result } from './comparator.ts';

/** One difference between a pact and the OpenAPI document. */
export interface Finding {
  consumer: string;
  source: string;
  description: string;
  /** The provider states as one line. */
  states: string;
  severity: 'error' | 'warning';
  /** The comparator's code, such as `request.query.unknown`. */
  code: string;
  message: string;
  pact: { place: string; value?: unknown };
  document?: { place: string };
  /** The most similar path or event, if this one is unknown. */
  nearest?: string;
}

export interface Comparison {
  provider: ServiceName;
  interactions: number;
  findings: Finding[];
}

/**
 * Returns a copy of the document for the comparator, which modifies its input. The copy has no `servers`, because pacts
 * use paths from the provider's root.
 */
function preparedOpenApi(provider: ServiceName): OpenApi {
  const { servers: _, webhooks: __, ...document } = structuredClone(openApi[provider]);
  return document;
}

/** Returns the webhooks as an AsyncAPI document, the only form in which the comparator reads messages. */
function preparedAsyncApi(provider: ServiceName) {
  const operationOf = ([type, operation]: [string, Operation]) => {
    const payload = jsonSchema(operation.requestBody);
    return [type, { action: 'send', channel: { $ref: '#/channels/webhooks' }, messages: [{ payload }] }] as const;
  };
  return {
    asyncapi: '3.0.0',
    info: { title: provider, version: '1' },
    channels: { webhooks: {} },
    operations: Object.fromEntries(Object.entries(structuredClone(eventsOf(provider))).map(operationOf)),
  };
}

/** Encodes a query. The comparator does not, and joins the values of a name with commas. */
const queryString = (query: Record<string, string[]>) =>
  Object.entries(query)
    .map(([name, values]) => `${encodeURIComponent(name)}=${values.map(encodeURIComponent).join(',')}`)
    .join('&');

/** Returns the status to compare: the pact's example, or another one of the document that its status matcher accepts. */
function statusOf({ reply }: HttpInteraction, operation: ProviderOperation | undefined): number {
  const listed = Object.keys(operation?.operation.responses ?? {}).map(Number);
  return listed.includes(reply.status) ? reply.status : (listed.find((status) => acceptsStatus(reply, status)) ?? reply.status);
}

const joined = (values: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.join(', ')]));
const wrapped = (content: unknown) =>
  content === undefined ? undefined : { content, contentType: 'application/json', encoded: false };

function preparedHttp(provider: ServiceName, interaction: HttpInteraction) {
  const { description, request, reply } = interaction;
  const operation = findOperation(provider, request.method, request.path);
  return {
    type: 'Synchronous/HTTP',
    description,
    request: {
      ...request,
      path: operation === undefined ? request.path : rootedPath(request.path, operation),
      query: queryString(request.query),
      headers: joined(request.headers),
      body: wrapped(request.body),
    },
    response: { status: statusOf(interaction, operation), headers: joined(reply.headers), body: wrapped(reply.body) },
  };
}

const preparedMessage = ({ description, content }: MessageInteraction, type: string) => ({
  type: 'Asynchronous/Messages',
  description,
  contents: wrapped(content),
  comments: { references: { AsyncAPI: { operationId: type } } },
});

/** Converts a path such as `[root].interactions[0].request.query.q` to a place in the pact file. */
function placeInFile(location: string, interaction: PactInteraction): string {
  const place = location.replace(/^\[root\]\.interactions\[\d+\]/, interaction.place).replace('.contents.content', '.contents');
  return place.replace(/(?<=\.(body|contents)\b.*)\.(\d+)(?=\.|$)/g, '[$2]');
}

function placeInDocument(location: string, interaction: PactInteraction, provider: ServiceName): string {
  const file = `spec/openapi/${provider}.json`;
  const place = location.replace(/^\[root\]\.?/, '');
  if (interaction.kind === 'http') return `${file}, ${place}`;
  const type = eventTypeOf(interaction) ?? '';
  const schema = `webhooks.${type}.post.requestBody.content.application/json.schema`;
  return `${file}, ${place.replace(`operations.${type}.messages[0].payload`, schema).replace(`operations.${type}.messages`, schema)}`;
}

interface Compared {
  provider: ServiceName;
  pact: PactFile;
  interaction: PactInteraction;
}

const about = ({ pact, interaction }: Compared): Pick<Finding, 'consumer' | 'source' | 'description' | 'states'> => ({
  consumer: pact.consumer,
  source: pact.source,
  description: interaction.description,
  states: statesOf(interaction.states),
});

function nearestTo({ provider, interaction }: Compared): Pick<Finding, 'nearest'> {
  if (interaction.kind !== 'http') return {};
  const nearest = nearestOperation(provider, interaction.request.method, interaction.request.path);
  return nearest ? { nearest: `${nearest.method} ${nearest.path}` } : {};
}

/** Results whose severity differs from the comparator's, because the provider treats them differently. */
const severities: Readonly<Record<string, Finding['severity']>> = {
  // It answers 415: Pact's verifier sends only the headers of the pact.
  'request.content-type.missing': 'error',
  // It ignores the header, as RFC 9110, section 12.5.1 allows.
  'request.accept.incompatible': 'warning',
};

/** Returns true if the provider is to refuse the request, which then may be wrong on purpose. */
const expectsRefusal = (interaction: PactInteraction) => interaction.kind === 'http' && interaction.reply.status >= 400;

const severityOf = (code: string, type: Finding['severity'], interaction: PactInteraction): Finding['severity'] =>
  code.startsWith('request.') && expectsRefusal(interaction) ? 'warning' : (severities[code] ?? type);

/** Returns the result, or its causes if a message matched nothing. */
function findingsOf(compared: Compared, result: Result): Finding[] {
  if (result.causes !== undefined && result.causes.length > 0)
    return result.causes.flatMap((cause) => findingsOf(compared, cause));
  if (result.type === 'info') return [];
  const { provider, interaction } = compared;
  const { code, message, mockDetails, specDetails } = result;
  const pact = { place: placeInFile(mockDetails?.location ?? '', interaction), value: mockDetails?.value };
  const document = specDetails && { place: placeInDocument(specDetails.location, interaction, provider) };
  const nearest = code === 'request.path-or-method.unknown' ? nearestTo(compared) : {};
  return [
    {
      ...about(compared),
      severity: severityOf(code, result.type, interaction),
      code,
      message,
      pact,
      ...(document && { document }),
      ...nearest,
    },
  ];
}

function unknownEvent(compared: Compared, type: string | undefined): Finding {
  const message = type === undefined ? 'The message names no event' : `Event not defined in the document: ${type}`;
  const nearest = Object.keys(eventsOf(compared.provider)).join(', ');
  const pact = { place: `${compared.interaction.place}.contents`, ...(type !== undefined && { value: type }) };
  return { ...about(compared), severity: 'error', code: 'message.event.unknown', message, pact, nearest };
}

/** Returns the parameters that are sent more often than the provider takes them. The comparator joins their values. */
function repeatedParameters(compared: Compared): Finding[] {
  const { provider, interaction } = compared;
  if (interaction.kind !== 'http' || expectsRefusal(interaction)) return [];
  const { method, path, query } = interaction.request;
  const found = findOperation(provider, method, path);
  const isList = (name: string) => found?.operation.parameters?.some((one) => one.name === name && one.schema?.type === 'array');
  const repeated = Object.entries(query).filter(([name, values]) => values.length > 1 && found !== undefined && !isList(name));
  return repeated.map(([name, value]) => ({
    ...about(compared),
    severity: 'error',
    code: 'request.query.repeated',
    message: `Query parameter is sent ${value.length} times, the provider takes it once: ${name}`,
    pact: { place: `${interaction.place}.request.query.${name}`, value },
    document: { place: `spec/openapi/${provider}.json, paths.${found?.path}.${method.toLowerCase()}` },
  }));
}

async function compareOne(comparator: Comparator, compared: Compared): Promise<Finding[]> {
  const { provider, interaction } = compared;
  const type = interaction.kind === 'message' ? eventTypeOf(interaction) : undefined;
  if (interaction.kind === 'message' && (type === undefined || !(type in eventsOf(provider))))
    return [unknownEvent(compared, type)];
  const prepared = interaction.kind === 'http' ? preparedHttp(provider, interaction) : preparedMessage(interaction, type ?? '');
  const findings = repeatedParameters(compared);
  const pact = { metadata: { pactSpecification: { version: '4.0' } }, interactions: [prepared] };
  for await (const result of comparator.compare(pact)) findings.push(...findingsOf(compared, result));
  return findings;
}

function shown(finding: Finding, { interaction }: Compared): Finding {
  const hider = new Hider(secretsIn(interaction));
  const { source, description, message, pact } = finding;
  return {
    ...finding,
    source: hider.text(source),
    description: hider.text(description),
    states: statesOf(interaction.states.map(hider.state)),
    message: hider.text(message),
    pact: { ...pact, ...('value' in pact && { value: hider.at(pact.place, pact.value) }) },
  };
}

/** Compares pacts with a provider's OpenAPI document; does not call the provider. Throws `CouldNotRun`. */
export async function comparePacts({
  pacts,
  provider,
}: {
  pacts: readonly PactFile[];
  provider: ServiceName;
}): Promise<Comparison> {
  const comparator = await openComparator({ oas: preparedOpenApi(provider), asyncapi: preparedAsyncApi(provider) });
  const all = pacts.flatMap((pact) => pact.interactions.map((interaction) => ({ provider, pact, interaction })));
  const findings: Finding[] = [];
  for (const compared of all)
    findings.push(...(await compareOne(comparator, compared)).map((finding) => shown(finding, compared)));
  return { provider, interactions: all.length, findings };
}

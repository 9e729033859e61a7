import type { ServiceName } from '../../documents/services.ts';
import { jsonSchema, type OpenApi, type Operation } from '../../openapi/document.ts';
import { eventsOf, findOperation, nearestOperation, openApi, rootedPath } from '../../openapi/operations.ts';
import {
  eventTypeOf,
  type HttpInteraction,
  type MessageInteraction,
  type PactFile,
  type PactInteraction,
} from '../verification/pact-file.ts';
import { statesOf } from '../verification/reports/summary.ts';
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
  /** The place in the pact file, and the value there. */
  pact: { place: string; value?: unknown };
  /** The place in the OpenAPI document, if there is one. */
  document?: { place: string };
  /** The most similar path or event, if this one is unknown. */
  nearest?: string;
}

export interface Comparison {
  provider: ServiceName;
  /** Number of compared interactions. */
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

const joined = (values: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.join(', ')]));
const wrapped = (content: unknown) =>
  content === undefined ? undefined : { content, contentType: 'application/json', encoded: false };

function preparedHttp(provider: ServiceName, { description, request, reply }: HttpInteraction) {
  const operation = findOperation(provider, request.method, request.path);
  return {
    type: 'Synchronous/HTTP',
    description,
    request: {
      ...request,
      path: operation === undefined ? request.path : rootedPath(request.path, operation),
      headers: withContentType(request.headers, request.body),
      body: wrapped(request.body),
    },
    response: { ...reply, headers: joined(reply.headers), body: wrapped(reply.body) },
  };
}

/** Returns true for the comparator's warning about a missing content type: the body of a pact is JSON by default. */
function withContentType(headers: Record<string, string[]>, body: unknown): Record<string, string> {
  const has = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return { ...joined(headers), ...(body !== undefined && !has && { 'Content-Type': 'application/json' }) };
}

function preparedMessage({ description, content }: MessageInteraction, type: string) {
  return {
    type: 'Asynchronous/Messages',
    description,
    contents: wrapped(content),
    comments: { references: { AsyncAPI: { operationId: type } } },
  };
}

/** Converts a path such as `[root].interactions[0].request.query.q` to a place in the pact file. */
function placeInFile(location: string, interaction: PactInteraction): string {
  const place = location.replace(/^\[root\]\.interactions\[\d+\]/, interaction.place).replace('.contents.content', '.contents');
  return place.replace(/(?<=\.(body|contents)\b.*)\.(\d+)(?=\.|$)/g, '[$2]');
}

function placeInDocument(location: string, interaction: PactInteraction, provider: ServiceName): string {
  const file = `contracts/openapi/${provider}.json`;
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

function about({ pact, interaction }: Compared): Pick<Finding, 'consumer' | 'source' | 'description' | 'states'> {
  return {
    consumer: pact.consumer,
    source: pact.source,
    description: interaction.description,
    states: statesOf(interaction.states),
  };
}

function nearestTo({ provider, interaction }: Compared): Pick<Finding, 'nearest'> {
  if (interaction.kind !== 'http') return {};
  const nearest = nearestOperation(provider, interaction.request.method, interaction.request.path);
  return nearest ? { nearest: `${nearest.method} ${nearest.path}` } : {};
}

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
  return [{ ...about(compared), severity: result.type, code, message, pact, ...(document && { document }), ...nearest }];
}

function unknownEvent(compared: Compared, type: string | undefined): Finding {
  const message = type === undefined ? 'The message names no event' : `Event not defined in the document: ${type}`;
  const nearest = Object.keys(eventsOf(compared.provider)).join(', ');
  const pact = { place: `${compared.interaction.place}.contents`, ...(type !== undefined && { value: type }) };
  return { ...about(compared), severity: 'error', code: 'message.event.unknown', message, pact, nearest };
}

async function compareOne(comparator: Comparator, compared: Compared): Promise<Finding[]> {
  const { provider, interaction } = compared;
  const type = interaction.kind === 'message' ? eventTypeOf(interaction) : undefined;
  if (interaction.kind === 'message' && (type === undefined || !(type in eventsOf(provider))))
    return [unknownEvent(compared, type)];
  const prepared = interaction.kind === 'http' ? preparedHttp(provider, interaction) : preparedMessage(interaction, type ?? '');
  const findings: Finding[] = [];
  const pact = { metadata: { pactSpecification: { version: '4.0' } }, interactions: [prepared] };
  for await (const result of comparator.compare(pact)) findings.push(...findingsOf(compared, result));
  return findings;
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
  for (const compared of all) findings.push(...(await compareOne(comparator, compared)));
  return { provider, interactions: all.length, findings };
}

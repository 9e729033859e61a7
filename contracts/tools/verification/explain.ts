import { type DocumentedLine, documented } from '../../../spec/documents/documented.ts';
import { type ServiceName, services } from '../../../spec/documents/services.ts';
import { findGap, type Gap } from '../../../spec/gaps/gaps.ts';
import { jsonSchema, type Operation, type Schema } from '../../../spec/openapi/document.ts';
import { eventsOf, findOperation } from '../../../spec/openapi/operations.ts';
import type { ProviderState } from '../states/state.ts';
import { type Step, schemasAlong, stepsOf } from './json-path.ts';
import { type LineKey, places } from './places.ts';
import type { Documented, Exchange, Problem } from './result.ts';

export type Subject = Call | { provider: ServiceName; kind: 'message'; event: string };

interface Call {
  provider: ServiceName;
  kind: 'http';
  method: string;
  /** May lack `/api/v1` and may have a query. */
  path: string;
  /** The expected status. */
  status?: number;
  exchange?: Exchange;
  /** The states of the interaction, if the reference implementation has set them up. */
  states?: readonly ProviderState[];
  /** What the states returned. */
  values?: Readonly<Record<string, unknown>>;
}

export type Explanation = Pick<Problem, 'documented' | 'gap'>;

/** A subject with its entry in the OpenAPI document. */
interface Found {
  provider: ServiceName;
  /** `POST /api/v1/sales` or `sale.completed`: the key in `places`. */
  name: string;
  operation: Operation;
  body: Schema | undefined;
  isErrorReply: boolean;
}

type Where = { line?: DocumentedLine | undefined; gap?: string | undefined };

function find(subject: Subject): Found | undefined {
  const { provider } = subject;
  if (subject.kind === 'message') {
    const operation = eventsOf(provider)[subject.event];
    const body = jsonSchema(operation?.requestBody);
    return operation && { provider, name: subject.event, operation, body, isErrorReply: false };
  }
  const found = findOperation(provider, subject.method, subject.path);
  if (found === undefined) return undefined;
  const { responses } = found.operation;
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const status = String(subject.status ?? success);
  const name = `${found.method} ${found.path}`;
  const { operation } = found;
  return { provider, name, operation, body: jsonSchema(responses[status]), isErrorReply: isError(status) };
}

export const lineAt = (provider: ServiceName, key: LineKey): DocumentedLine | undefined =>
  documented[provider].find(
    ({ section, part, says }) =>
      (key.section === undefined || section.startsWith(`${key.section}.`)) &&
      (key.part === undefined || part === key.part) &&
      ('row' in key ? `${says} |`.startsWith(`${key.row} |`) : says.startsWith(key.begins)),
  );

/** Returns the document's line about the operation or event as a whole. */
export function ownLine({ provider, name }: Pick<Found, 'provider' | 'name'>): DocumentedLine | undefined {
  const [method, path] = name.split(' ');
  if (path === undefined) return lineAt(provider, { section: '6', row: name });
  const shown = [path, path.replace('/api/v1', '')];
  return shown.map((one) => lineAt(provider, { section: '4', row: `${method} | ${one}` })).find((line) => line !== undefined);
}

const isError = (status: unknown) => /^[45]\d\d$/.test(String(status));
export const isSuccess = (status: unknown) => /^2\d\d$/.test(String(status));

function ofStatus(found: Found, { expected = '', actual = '' }: Problem): Where {
  const { statuses, statusGaps, errors, credentials } = places[found.provider];
  if (credentials && isPublic(found) && [expected, actual].includes('401'))
    return { line: lineAt(found.provider, credentials.line), gap: credentials.gap };
  const failing = [expected, actual].filter(isError);
  const ofSuccess = isSuccess(actual) ? found.operation['x-gap']?.find((id) => id.endsWith('-status')) : undefined;
  if (failing.length === 0) return { line: ownLine(found), gap: ofSuccess };
  // The expected error is explained before the actual one, unless the document does not list it.
  const lines = failing.map((status) => lineAt(found.provider, statuses[status] ?? { section: '7', row: status }));
  const byStatus = failing.map((status) => statusGaps[status]);
  return {
    line: lines.find((line) => line !== undefined) ?? lineAt(found.provider, errors),
    gap: byStatus[lines.findIndex((line) => line !== undefined)] ?? byStatus.find((gap) => gap !== undefined),
  };
}

const isPublic = ({ operation }: Found) => operation.security?.length === 0;

function ofHeader({ provider }: Found, { path = '' }: Problem): Where {
  const entry = places[provider].headers.find(({ name }) => name.test(path.toLowerCase()));
  return { line: entry?.line && lineAt(provider, entry.line), gap: entry?.gap };
}

/** Returns the steps after `at`, or undefined if the path does not start with `at`. */
function beyond(at: string, along: readonly Step[]): Step[] | undefined {
  const steps = stepsOf(at);
  return steps.every((step, index) => step === along[index]) ? along.slice(steps.length) : undefined;
}

/** Returns the table row of a field, or of the nearest enclosing field that has one. */
function fieldLine({ provider, name }: Found, along: readonly Step[]): DocumentedLine | undefined {
  for (const { at, part } of places[provider].tables.filter(({ of }) => of === name)) {
    const names = beyond(at, along)?.filter((step) => step !== null) ?? [];
    for (let length = names.length; length > 0; length--) {
      const line = lineAt(provider, { part, row: names.slice(0, length).join('.') });
      if (line !== undefined) return line;
    }
  }
  return undefined;
}

function noteLine({ provider, name }: Found, along: readonly Step[]): DocumentedLine | undefined {
  const note = places[provider].notes.find(({ of, at }) => of === name && beyond(at, along) !== undefined);
  return note && lineAt(provider, note.line);
}

/** Returns the gaps about the whole body of an operation's reply or of an event. */
const ofWholeBody = /-(response|payload|detail)$/;

function ofBody(found: Found, { path = '$' }: Problem): Where {
  const along = stepsOf(path);
  const named = found.body === undefined ? [] : schemasAlong(found.body, along).flatMap((schema) => schema['x-gap'] ?? []);
  const { errors, envelopes } = places[found.provider];
  if (found.isErrorReply) return { line: lineAt(found.provider, errors), gap: named[0] ?? `${found.provider}.error-body` };
  const row = fieldLine(found, along);
  if (row !== undefined) return { line: row, gap: named[0] };
  const inData = along.length === 0 || along[0] === 'data';
  const whole = found.operation['x-gap']?.find((id) => ofWholeBody.test(id));
  const around = inData ? undefined : envelopes[found.name.includes(' ') ? 'http' : 'message'];
  return { line: noteLine(found, along) ?? ownLine(found), gap: named[0] ?? around ?? whole };
}

function where(found: Found, problem: Problem): Where {
  switch (problem.kind) {
    case 'status':
      return ofStatus(found, problem);
    case 'header':
    case 'metadata':
      return ofHeader(found, problem);
    case 'body':
      return ofBody(found, problem);
    default:
      return {};
  }
}

const withoutBullet = (text: string) => text.replace(/^(- |\d+\. )/, '');

export function documentedAt(provider: ServiceName, { section, part, says }: DocumentedLine): Documented {
  const text = says.includes(' | ') && part !== '' ? `${part} | ${says}` : withoutBullet(says);
  return { document: services[provider].document, section, says: text };
}

export function gapNamed(id: string): Pick<Gap, 'id' | 'question' | 'choice'> | undefined {
  const gap = findGap(id);
  return gap && { id, question: gap.question, choice: gap.choice };
}

/** Returns true if the pact or the provider does not succeed, so that bodies and headers differ for that reason alone. */
export const isOtherOutcome = ({ kind, expected, actual }: Problem) =>
  kind === 'status' && !(isSuccess(expected) && isSuccess(actual));

/**
 * Returns the line of the provider's document about the place of a problem, and the gap that covers it. Both are missing
 * for an unknown operation or event, and for problems of a state or of the provider itself.
 */
export function explain(subject: Subject, problem: Problem): Explanation {
  const found = find(subject);
  if (found === undefined) return {};
  const { line, gap: id } = where(found, problem);
  const gap = id === undefined ? undefined : gapNamed(id);
  return { ...(line && { documented: documentedAt(subject.provider, line) }), ...(gap && { gap }) };
}

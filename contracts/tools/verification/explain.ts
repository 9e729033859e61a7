import { type DocumentedLine, documented } from '../../../spec/documents/documented.ts';
import { type ServiceName, services } from '../../../spec/documents/services.ts';
import { findGap, type Gap } from '../../../spec/gaps/gaps.ts';
import { jsonSchema, type Operation, type Schema } from '../../../spec/openapi/document.ts';
import { eventsOf, findOperation } from '../../../spec/openapi/operations.ts';
import { type Step, schemasAlong, stepsOf } from './json-path.ts';
import { type LineKey, places } from './places.ts';
import type { Documented, Problem } from './result.ts';

/** A call, with the expected status, or an event. The path may lack `/api/v1` and may have a query. */
export type Subject =
  | { provider: ServiceName; kind: 'http'; method: string; path: string; status?: number }
  | { provider: ServiceName; kind: 'message'; event: string };

export type Explanation = Pick<Problem, 'documented' | 'gap'>;

/** A subject with its entry in the OpenAPI document. */
interface Found {
  provider: ServiceName;
  /** `POST /api/v1/sales` or `sale.completed`: the name in `places`. */
  name: string;
  operation: Operation;
  body: Schema | undefined;
  isErrorReply: boolean;
}

interface Where {
  line?: DocumentedLine | undefined;
  gap?: string | undefined;
}

function find(subject: Subject): Found | undefined {
  const { provider } = subject;
  if (subject.kind === 'message') {
    const operation = eventsOf(provider)[subject.event];
    const body = jsonSchema(operation?.requestBody);
    return operation && { provider, name: subject.event, operation, body, isErrorReply: false };
  }
  const found = findOperation(provider, subject.method, subject.path);
  if (found === undefined) return undefined;
  const { method, path, operation } = found;
  const success = Object.keys(operation.responses).find(isSuccess) ?? '';
  const status = String(subject.status ?? success);
  const body = jsonSchema(operation.responses[status]);
  return { provider, name: `${method} ${path}`, operation, body, isErrorReply: isError(status) };
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
  const row = (shown: string) => lineAt(provider, { section: '4', row: `${method} | ${shown}` });
  return row(path) ?? row(path.replace('/api/v1', ''));
}

const isError = (status: unknown) => /^[45]\d\d$/.test(String(status));
export const isSuccess = (status: unknown) => /^2\d\d$/.test(String(status));

/** The line and the gap of the error that the pact expects, or else of the one that came. */
function ofStatus({ provider, name, operation }: Found, { expected = '', actual = '' }: Problem): Where {
  const { statuses, statusGaps, errors, credentials } = places[provider];
  const failing = [expected, actual].filter(isError);
  const isPublic = operation.security?.length === 0;
  if (credentials && isPublic && failing.includes('401'))
    return { line: lineAt(provider, credentials.line), gap: credentials.gap };
  if (failing.length === 0) {
    const isOpen = isSuccess(expected) && isSuccess(actual);
    const gap = isOpen ? operation['x-gap']?.find((id) => id.endsWith('-status')) : undefined;
    return { line: ownLine({ provider, name }), gap };
  }
  const lineOf = (status: string) => lineAt(provider, statuses[status] ?? { section: '7', row: status });
  const shown = failing.find((status) => lineOf(status) !== undefined) ?? failing[0] ?? '';
  return { line: lineOf(shown) ?? lineAt(provider, errors), gap: statusGaps[shown] };
}

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

/** Returns the gap that the schema of this place names. A field without a schema is a matter of the record that it is missing from. */
function gapAt(body: Schema | undefined, steps: readonly Step[]): string | undefined {
  const along = body === undefined ? [] : schemasAlong(body, steps);
  return along.length >= steps.length ? along[0]?.['x-gap']?.[0] : undefined;
}

function ofBody(found: Found, { path = '$' }: Problem): Where {
  const steps = stepsOf(path);
  const gap = gapAt(found.body, steps);
  if (found.isErrorReply) return { line: lineAt(found.provider, places[found.provider].errors), gap };
  return { line: fieldLine(found, steps) ?? noteLine(found, steps) ?? ownLine(found), gap };
}

const kinds: Partial<Record<Problem['kind'], (found: Found, problem: Problem) => Where>> = {
  status: ofStatus,
  header: ofHeader,
  metadata: ofHeader,
  body: ofBody,
};

const withoutBullet = (text: string) => text.replace(/^(- |\d+\. )/, '');

export function documentedAt(provider: ServiceName, { section, part, says }: DocumentedLine): Documented {
  const text = says.includes(' | ') && part !== '' ? `${part} | ${says}` : withoutBullet(says);
  return { document: services[provider].document, section, says: text };
}

export function gapNamed(id: string): Pick<Gap, 'id' | 'question' | 'choice'> | undefined {
  const gap = findGap(id);
  return gap && { id, question: gap.question, choice: gap.choice };
}

/**
 * Returns the line of the provider's document about the place of a problem, and the gap that this place names. Both are missing
 * for an unknown operation or event, and for problems of a state or of the provider itself.
 */
export function explain(subject: Subject, problem: Problem): Explanation {
  const found = find(subject);
  const { line, gap: id } = (found && kinds[problem.kind]?.(found, problem)) ?? {};
  const gap = id === undefined ? undefined : gapNamed(id);
  return { ...(line && { documented: documentedAt(subject.provider, line) }), ...(gap && { gap }) };
}

/** Returns true if the pact or the provider does not succeed, so that bodies and headers differ for that reason alone. */
export const isOtherOutcome = ({ kind, expected, actual }: Problem) =>
  kind === 'status' && !(isSuccess(expected) && isSuccess(actual));

import { findOperation, nearestOperation, type ProviderOperation } from '../../contracts/openapi/operations.ts';
import { explain, gapNamed } from '../../contracts/tools/verification/explain.ts';
import type { Documented } from '../../contracts/tools/verification/result.ts';
import type { Refusal } from '../../gateway/base/errors.ts';
import type { Credentials, StubApi } from '../credentials.ts';
import { curlLine, type Example, exampleOf, type KnownValues } from './example.ts';
import { type FieldHelp, fieldHelp, ofCode } from './request.ts';

/** Why a call was refused, and what a right one looks like: the member `help` of a stub's error bodies. */
export interface Help {
  /** What to do, in a sentence. */
  hint: string;
  /** `POST /api/v1/sales`; for an unknown path the nearest one. */
  operation?: string;
  fields?: FieldHelp[];
  /** What the document says of the status. */
  documented?: Documented;
  /** The choice on which the refusal rests, where the document leaves it open. */
  gap?: { id: string; question: string; choice: string };
  /** The fault that made the reply, where the API did not. */
  fault?: FaultHelp;
  /** A right request for the operation, and the same as a line for a shell. */
  example?: Example & { curl: string };
}

export interface FaultHelp {
  /** The rule as it is written, or the preference that the request came with. */
  source: string;
  /** The rule's id. */
  rule?: string;
  /** What takes the rule away, as a line for a shell. */
  remove?: string;
}

export interface HelpParts<A extends StubApi> {
  api: A;
  url: string;
  credentials: Credentials[A];
  known: KnownValues;
}

interface Call {
  method: string;
  /** With its query. */
  url: string;
}

export function helpOn(parts: HelpParts<StubApi>, refusal: Refusal, status: number, call: Call): Help {
  const { api } = parts;
  const path = call.url.split('?')[0] ?? '/';
  if (refusal.code === 'unknown_operation') return unknownOperation(parts, call.method, path);
  const found = findOperation(api, call.method, path);
  if (!found) return { hint: refusal.message };
  const subject = { provider: api, kind: 'http', method: call.method, path } as const;
  const { documented, gap } = explain(subject, { kind: 'status', message: '', expected: String(status), actual: String(status) });
  const own = ofCode(api, refusal.code);
  const signsIn = refusal.kind === 'unauthorized' && api === 'pos' ? findOperation(api, 'POST', '/api/auth') : undefined;
  const isOfRequest = refusal.kind === 'invalid' || refusal.kind === 'not_found' || refusal.kind === 'conflict';
  const fields = isOfRequest ? refusal.details.map((detail) => fieldHelp(api, found, detail)) : [];
  const chosen = own === undefined ? gap : gapNamed(own);
  return {
    hint: hintOn(refusal, signsIn !== undefined),
    operation: `${found.method} ${found.path}`,
    ...(fields.length > 0 && { fields }),
    ...(documented && { documented }),
    ...(chosen && { gap: chosen }),
    example: shownExample(parts, signsIn ?? found, new Set(refusal.details.map(({ field }) => field))),
  };
}

/** What to do, by the kind of refusal. */
const hints: Partial<Record<Refusal['kind'], string>> = {
  invalid: 'Mend the fields below; the example is a request that this stub takes.',
  not_found: 'Name one that is there; the example does.',
  unauthorized: 'Send a token of this stub, as the example does.',
  forbidden: 'Use a token that may do this; the example has one with all abilities.',
  limited: 'Wait as long as Retry-After says, or advance the clock of the stub, or start it with limits off.',
  media_type: 'Send JSON, with Content-Type: application/json.',
};

function hintOn({ kind, message }: Refusal, signsIn: boolean): string {
  if (signsIn) return 'Get a token with the example, and send it as Authorization: Bearer.';
  return hints[kind] ?? message;
}

function unknownOperation(parts: HelpParts<StubApi>, method: string, path: string): Help {
  const nearest = nearestOperation(parts.api, method, path);
  if (!nearest) return { hint: 'See /docs for the operations.' };
  const operation = `${nearest.method} ${nearest.path}`;
  const summary = nearest.operation.summary;
  return {
    hint: `Did you mean ${operation}${summary === undefined ? '' : ` (${summary})`}?`,
    operation,
    example: shownExample(parts, nearest, new Set()),
  };
}

/** Without a token for the operation that gives one; a variable for tokens that last an hour only. */
export function shownExample({ api, url, credentials, known }: HelpParts<StubApi>, found: ProviderOperation, asked: Set<string>) {
  const example = exampleOf(found, known, asked);
  const open = found.operation.security?.length === 0;
  const token = api === 'cohesion' ? (credentials as Credentials['cohesion']).token : '$TOKEN';
  return { ...example, curl: curlLine(url, example, open ? undefined : token) };
}

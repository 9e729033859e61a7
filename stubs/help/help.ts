import { explain, gapNamed } from '../../contracts/tools/verification/explain.ts';
import type { Documented } from '../../contracts/tools/verification/result.ts';
import type { Refusal } from '../../gateway/base/errors.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { curlLine, type Example, exampleOf, type KnownValues } from '../../spec/openapi/example.ts';
import { findOperation, nearestOperation, type ProviderOperation } from '../../spec/openapi/operations.ts';
import type { Credentials } from '../credentials.ts';
import { type FieldHelp, fieldHelp, ofCode } from './request.ts';

/** The member `help` of a stub's error bodies: why a call was refused, and an example of a correct call. */
export interface Help {
  /** Advice in one sentence. */
  hint: string;
  /** The operation, such as `POST /api/v1/sales`. For an unknown path, the nearest one. */
  operation?: string;
  fields?: FieldHelp[];
  /** The API document's line about the status. */
  documented?: Documented;
  /** The gap entry that the refusal depends on, if the document leaves the point open. */
  gap?: { id: string; question: string; choice: string };
  /** The fault that caused the reply, if the API did not. */
  fault?: FaultHelp;
  /** A correct request for the operation, also as a curl command. */
  example?: Example & { curl: string };
}

export interface FaultHelp {
  /** The rule's text form, or the request's `Prefer` header. */
  source: string;
  /** The rule's id. */
  rule?: string;
  /** The curl command that removes the rule. */
  remove?: string;
}

export interface HelpParts<A extends ServiceName> {
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

export function helpOn(parts: HelpParts<ServiceName>, refusal: Refusal, status: number, call: Call): Help {
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

const hints: Partial<Record<Refusal['kind'], string>> = {
  invalid: 'Fix the fields below. The example is a request this stub accepts.',
  not_found: 'Use an id that exists. The example uses one.',
  unauthorized: 'Send a token of this stub, as the example does.',
  forbidden: 'Use a token with this permission. The token in the example has all abilities.',
  limited: 'Wait as long as Retry-After says, advance the clock of the stub, or start the stub with limits off.',
  media_type: 'Send JSON, with Content-Type: application/json.',
};

/** Advice on refusals that depend on more than the request. */
const hintsOfCodes: Readonly<Record<string, string>> = {
  insufficient_stock: 'Stock more of the product in the back office, or sell less of it.',
};

function hintOn({ kind, code, message }: Refusal, signsIn: boolean): string {
  const ofWorld = code === 'key_revoked' ? ' A key KEY_NAME of a world works only in the world NAME, until that world ends.' : '';
  if (signsIn) return `Get a token with the example and send it in the header Authorization: Bearer TOKEN.${ofWorld}`;
  return hintsOfCodes[code] ?? hints[kind] ?? message;
}

function unknownOperation(parts: HelpParts<ServiceName>, method: string, path: string): Help {
  const nearest = nearestOperation(parts.api, method, path);
  if (!nearest) return { hint: 'See /docs for the operations.' };
  const operation = `${nearest.method} ${nearest.path}`;
  const summary = nearest.operation.summary;
  return {
    hint: `Did you mean ${operation}${summary === undefined ? '' : ` (${summary})`}? All operations: ${parts.url}/openapi.json`,
    operation,
    example: shownExample(parts, nearest, new Set()),
  };
}

/** Pos tokens expire, so a shell variable stands for them. */
const shownTokens: { [A in ServiceName]: (credentials: Credentials[A]) => string } = {
  pos: () => '$TOKEN',
  cohesion: ({ token }) => token,
};

/** Builds the example. The operation that issues tokens needs none. */
function shownExample<A extends ServiceName>(
  { api, url, credentials, known }: HelpParts<A>,
  found: ProviderOperation,
  asked: Set<string>,
) {
  const example = exampleOf(found, known, asked);
  const open = found.operation.security?.length === 0;
  const token = shownTokens[api](credentials);
  return { ...example, curl: curlLine(url, example, open ? undefined : token) };
}

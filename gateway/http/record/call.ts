import type { Redaction } from '../../base/redact.ts';
import { storable } from '../../base/text.ts';
import type { Row } from '../../store/tables/index.ts';
import type { CallApi } from '../../store/tables/operating.ts';

/**
 * One call that ended: the request and the reply as they were sent, secrets included. It holds values only, because
 * keeping Fastify's request would keep everything that the request refers to.
 */
export interface EndedCall {
  id: string;
  /** When the call began, in milliseconds since 1970. */
  atMs: number;
  /** The API that its path belongs to, such as `pos`. */
  api: CallApi;
  /** The operationId of its route. */
  operation: string | null;
  caller: string | null;
  /** The client's address. */
  ip: string;
  method: string;
  /** Path and query string. */
  url: string;
  /** False if the connection ended before a reply began. `status` and the response fields mean nothing then. */
  replied: boolean;
  status: number;
  durationMs: number;
  /** Why the call was refused, such as `not_found`. */
  errorCode: string | null;
  limitState: Row<'calls'>['limit_state'];
  requestHeaders: Row<'calls'>['request_headers'];
  requestBody: string | null;
  responseHeaders: Row<'calls'>['response_headers'];
  responseBody: string | null;
}

/** How a call becomes a row. */
export interface RowOptions {
  /** Characters of each body that are kept. */
  bodyCharacters: number;
  redaction: Redaction;
}

/** The row of a call: without secrets, without text that a store refuses, and with bodies of limited length. */
export function rowOf(call: EndedCall, { bodyCharacters, redaction }: RowOptions): Row<'calls'> {
  const { url, requestBody, responseBody } = call;
  // Cut first: what is redacted is then of limited length, whatever a client sends.
  const stored = (text: string, characters: number) =>
    storable(redaction.text(text.slice(0, characters)) + cutNote(text, characters));
  return {
    id: call.id,
    at: call.atMs,
    api: call.api,
    operation: call.operation,
    caller: call.caller,
    ip: call.ip,
    method: call.method,
    path: stored(url, 2048),
    status: call.status,
    duration_ms: call.durationMs,
    error_code: call.errorCode,
    limit_state: call.limitState,
    request_headers: redaction.headers(call.requestHeaders),
    request_body: requestBody === null ? null : stored(requestBody, bodyCharacters),
    response_headers: redaction.headers(call.responseHeaders),
    response_body: responseBody === null ? null : stored(responseBody, bodyCharacters),
  };
}

/** The beginning of a text that is longer than `characters`, with a note of its full length. */
export const cut = (text: string, characters: number): string =>
  text.length <= characters ? text : text.slice(0, characters) + cutNote(text, characters);

const cutNote = (text: string, characters: number): string =>
  text.length <= characters ? '' : `… [cut here: ${text.length} characters in all]`;

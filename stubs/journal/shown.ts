import { curlLine } from '../../gateway/http/record/curl.ts';
import { type Exchanged, type Har, harOf } from '../../gateway/http/record/har.ts';
import { redactBody, redactHeaders, redactPath } from '../../gateway/http/record/redact.ts';
import type { RecordedCall } from './call.ts';

interface Shown {
  secrets?: boolean | undefined;
}

/** A call as one line for a POSIX shell that makes it again; tokens and secrets only where `secrets` asks for them. */
export const curlOf = (call: RecordedCall, options: Shown = {}): string => curlLine(exchanged(shown(call, options)));

/** Calls as an HTTP Archive; tokens and secrets only where `secrets` asks for them. */
export const archiveOf = (calls: readonly RecordedCall[], options: Shown): Har =>
  harOf(calls.map((call) => exchanged(shown(call, options))));

/** A call as it may be passed on: without its tokens and secrets, unless they are asked for. */
export function shown(call: RecordedCall, { secrets = false }: Shown): RecordedCall {
  if (secrets) return call;
  return {
    ...call,
    url: redactPath(call.url),
    requestHeaders: redactHeaders(call.requestHeaders) as RecordedCall['requestHeaders'],
    requestBody: redactBody(call.requestBody),
    responseHeaders: redactHeaders(call.responseHeaders) as RecordedCall['responseHeaders'],
    responseBody: redactBody(call.responseBody),
  };
}

function exchanged(call: RecordedCall): Exchanged {
  const { method, url, requestHeaders, requestBody, at, durationMs, status, responseHeaders, responseBody } = call;
  return {
    method,
    url: `http://${requestHeaders.host ?? 'localhost'}${url}`,
    headers: requestHeaders,
    body: requestBody,
    ...{ at, durationMs, status, responseHeaders, responseBody },
    comment: [call.operation, call.fault && `fault ${call.fault}`, call.refusal?.message].filter(Boolean).join(': '),
  };
}

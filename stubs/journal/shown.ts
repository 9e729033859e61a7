import { standardRedaction } from '../../gateway/base/redact.ts';
import { curlLine } from '../../gateway/http/record/curl.ts';
import { type Exchanged, type Har, harOf } from '../../gateway/http/record/har.ts';
import type { RecordedCall } from './call.ts';

interface SecretsOption {
  /** True to keep tokens and secrets. Default false. */
  secrets?: boolean | undefined;
}

/** A curl command for a POSIX shell that repeats the call. */
export const curlOf = (call: RecordedCall, options: SecretsOption = {}): string => curlLine(exchanged(call, options));

/** The calls as an HTTP Archive. */
export const archiveOf = (calls: readonly RecordedCall[], options: SecretsOption): Har =>
  harOf(calls.map((call) => exchanged(call, options)));

function exchanged(received: RecordedCall, { secrets = false }: SecretsOption): Exchanged {
  const call = secrets ? received : { ...received, ...standardRedaction.call(received) };
  const { method, url, requestHeaders, requestBody, at, durationMs, status, responseHeaders, responseBody } = call;
  return {
    method,
    url: `http://${requestHeaders.host ?? 'localhost'}${url}`,
    headers: requestHeaders,
    body: requestBody,
    at,
    durationMs,
    status,
    responseHeaders,
    responseBody,
    comment: [call.operation, call.fault && `fault ${call.fault}`, call.refusal?.message].filter(Boolean).join(': '),
  };
}

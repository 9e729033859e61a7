import { standardRedaction } from '../../gateway/base/redact.ts';
import { curlLine } from '../../gateway/http/record/curl.ts';
import { type Exchanged, type Har, harOf } from '../../gateway/http/record/har.ts';
import type { RecordedCall, Scheme } from './call.ts';

interface ShownOptions {
  /** True to keep tokens and secrets. Default false. */
  secrets?: boolean | undefined;
  /** Of the URLs. Default http. */
  scheme?: Scheme;
}

/** A curl command for a POSIX shell that repeats the call. */
export const curlOf = (call: RecordedCall, options: ShownOptions = {}): string => curlLine(exchanged(call, options));

export const archiveOf = (calls: readonly RecordedCall[], options: ShownOptions): Har =>
  harOf(calls.map((call) => exchanged(call, options)));

function exchanged(received: RecordedCall, { secrets = false, scheme = 'http' }: ShownOptions): Exchanged {
  const call = secrets ? received : { ...received, ...standardRedaction.call(received) };
  const { method, url, requestHeaders, requestBody, at, durationMs, status, responseHeaders, responseBody } = call;
  return {
    method,
    url: `${scheme}://${requestHeaders.host ?? 'localhost'}${url}`,
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

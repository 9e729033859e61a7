import { redactBody, redactHeaders, redactPath } from '../../gateway/http/redact.ts';
import type { RecordedCall } from './call.ts';

/** A call as it may be passed on: without its tokens and secrets, unless they are asked for. */
export function shown(call: RecordedCall, { secrets = false }: { secrets?: boolean }): RecordedCall {
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

/** The whole address of a call, as its client wrote it. */
export function addressOf({ requestHeaders, url }: RecordedCall): string {
  return `http://${requestHeaders.host ?? 'localhost'}${url}`;
}

/** Headers one by one: of several values each is a header of its own. */
export function headerLines(headers: RecordedCall['requestHeaders']): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => ({ name, value: String(one) })),
  );
}

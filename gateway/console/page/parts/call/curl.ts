import { curlLine } from '../../../../http/record/curl.ts';
import type { CallDetail } from '../../lib/calls.ts';

type Sent = Pick<CallDetail, 'method' | 'path' | 'request_headers' | 'request_body'>;

/** Replaces secrets in records. */
const redacted = '[redacted]';

export const hasRedacted = ({ path, request_headers: headers, request_body: body }: Sent) =>
  [path, body ?? '', ...Object.values(headers).map(String)].some((text) => text.includes(redacted));

/** The call as a curl command, with placeholders for secrets. */
export function curlOf({ method, path, request_headers: headers, request_body: body }: Sent, protocol: string): string {
  const shownHeaders = Object.entries(headers).map(([name, value]) => [name, withPlaceholder(String(value), 'YOUR_TOKEN')]);
  return curlLine({
    method,
    url: `${protocol}//${headers.host ?? location.host}${withPlaceholder(path, 'YOUR_SECRET')}`,
    headers: Object.fromEntries(shownHeaders),
    body: withPlaceholder(body ?? '', 'YOUR_SECRET'),
  });
}

const withPlaceholder = (text: string, placeholder: string) => text.replaceAll(redacted, placeholder);

import { curlLine } from '../../../../http/record/curl.ts';
import type { CallDetail } from './message.ts';

type Sent = Pick<CallDetail, 'method' | 'path' | 'request_headers' | 'request_body'>;

/** What stands in a record where a secret was. */
const redacted = '[redacted]';

export const holdsRedacted = ({ path, request_headers: headers, request_body: body }: Sent) =>
  [path, body ?? '', ...Object.values(headers).map(String)].some((text) => text.includes(redacted));

/** The call as a line for a shell, with placeholders where secrets were. */
export function curlOf({ method, path, request_headers: headers, request_body: body }: Sent, protocol: string): string {
  const named = Object.entries(headers).map(([name, value]) => [name, filled(String(value), 'YOUR_TOKEN')]);
  return curlLine({
    method,
    url: `${protocol}//${headers.host ?? location.host}${filled(path, 'YOUR_SECRET')}`,
    headers: Object.fromEntries(named),
    body: filled(body ?? '', 'YOUR_SECRET'),
  });
}

const filled = (text: string, placeholder: string) => text.replaceAll(redacted, placeholder);

import type { ReceivedHeaders } from '../verify-signature.ts';
import type { Scheme } from './keys.ts';
import type { MistakeId } from './mistakes.ts';

/** The headers that matter, under whatever names they came. */
export interface GivenHeaders {
  /** Which of them decide; null where none is there. */
  scheme: Scheme | null;
  id: string | undefined;
  timestamp: string | undefined;
  /** webhook-signature. */
  signature: string | undefined;
  /** X-SERVICE-Signature. */
  service: string | undefined;
  /** What is wrong with the headers as such. */
  mistakes: MistakeId[];
}

const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Values by lower-case name; every one of a header that came more than once. */
function collect(headers: ReceivedHeaders): Map<string, string[]> {
  const sent = new Map<string, string[]>();
  for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
    const values = [...(sent.get(name.toLowerCase()) ?? []), ...(value === undefined ? [] : [value].flat())];
    if (values.length > 0) sent.set(name.toLowerCase(), values);
  }
  return sent;
}

/** Finds the signature's headers, also under names that others use. */
export function giveHeaders(headers: ReceivedHeaders, serviceName: string): GivenHeaders {
  const sent = collect(headers);
  const renamed = rename(sent, serviceName);
  const value = (name: string) => (renamed.get(name) ?? sent.get(name))?.[0];
  const [id, timestamp, signature] = standardNames.map(value);
  const service = value(serviceName);
  const there = [id, timestamp, signature].filter((one) => one !== undefined).length;
  const scheme = there > 0 ? 'standard-webhooks' : service === undefined ? null : 'service-signature';
  const repeated = [serviceName, ...standardNames].some((name) => (sent.get(name)?.length ?? 0) > 1);
  const mistakes: MistakeId[] = [
    ...(renamed.size > 0 ? ['other_header_name' as const] : []),
    ...(there > 0 && there < 3 ? ['headers_incomplete' as const] : []),
    ...(repeated ? ['header_repeated' as const] : []),
  ];
  return { scheme, id, timestamp, signature, service, mistakes };
}

/** Where none of our names is there: svix-id is webhook-id, X-Hub-Signature-256 is X-SERVICE-Signature. */
function rename(sent: Map<string, string[]>, serviceName: string): Map<string, string[]> {
  const renamed = new Map<string, string[]>();
  if ([serviceName, ...standardNames].some((name) => sent.has(name))) return renamed;
  for (const name of standardNames) {
    const other = [...sent.keys()].find(
      (key) => key.endsWith(name.replace('webhook', '')) && /^(x-)?(svix|webhooks?)-/.test(key),
    );
    const values = other === undefined ? undefined : sent.get(other);
    if (values) renamed.set(name, values);
  }
  if (renamed.size > 0) return renamed;
  const other = [...sent.keys()].find((key) => /signature|hmac/.test(key));
  const values = other === undefined ? undefined : sent.get(other);
  if (values) renamed.set(serviceName, values);
  return renamed;
}

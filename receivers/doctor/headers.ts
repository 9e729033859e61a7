import { collectHeaders, type ReceivedHeaders } from '../verify-signature.ts';
import type { Scheme } from './keys.ts';
import type { MistakeId } from './mistakes.ts';

/** The headers of the signature, also under other names. */
export interface GivenHeaders {
  /** The headers that decide; null if there are none. */
  scheme: Scheme | null;
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
  /** Values of X-SERVICE-Signature. */
  service: string | undefined;
  /** Mistakes in the headers themselves. */
  mistakes: MistakeId[];
}

const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Finds the headers of the signature, also under the names of other services. */
export function giveHeaders(headers: ReceivedHeaders, serviceName: string): GivenHeaders {
  const sent = collectHeaders(headers, [...standardNames, serviceName]) ?? new Map<string, string[]>();
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

/** Maps the names of other services, such as svix-id to webhook-id and X-Hub-Signature-256 to X-SERVICE-Signature. */
function rename(sent: Map<string, string[]>, serviceName: string): Map<string, string[]> {
  const renamed = new Map<string, string[]>();
  if ([serviceName, ...standardNames].some((name) => sent.has(name))) return renamed;
  for (const name of standardNames) {
    const ofOthers = new RegExp(`^(x-)?(svix|webhooks?)${name.replace('webhook', '')}$`);
    const other = [...sent.keys()].find((key) => ofOthers.test(key));
    const values = other === undefined ? undefined : sent.get(other);
    if (values) renamed.set(name, values);
  }
  if (renamed.size > 0) return renamed;
  const other = [...sent.keys()].find((key) => /signature|hmac/.test(key));
  const values = other === undefined ? undefined : sent.get(other);
  if (values) renamed.set(serviceName, values);
  return renamed;
}

import { isDeepStrictEqual } from 'node:util';
import { parsed } from '../assumptions/asked.ts';
import { Hider, secretsIn } from '../secrets.ts';
import type { Shown } from './types.ts';

export interface Version {
  /** Of a reply. */
  status?: number;
  headers: Record<string, string>;
  text: string;
}

/** Headers that say nothing of the choice, or differ with each call. */
const ordinary =
  /^(date|connection|keep-alive|content-length|x-request-id|vary|access-control-.*|cross-origin-.*|x-content-type-options|x-frame-options|referrer-policy|strict-transport-security|content-security-policy|traceparent)$/;

/** Signatures prove who sent a webhook; a report needs their form only. */
const signature = /signature/i;

function shownVersion({ status, headers, text }: Version): Shown {
  const body = parsed(text);
  const hider = new Hider([...secretsIn(headers), ...secretsIn(body)]);
  const shown = Object.entries(headers).filter(([name]) => !ordinary.test(name.toLowerCase()));
  const named = shown.map(([name, value]) => [
    name,
    signature.test(name) ? value.replaceAll(/[A-Za-z0-9+/]{20,}={0,2}/g, '…') : value,
  ]);
  return {
    ...(status !== undefined && { status }),
    headers: hider.value(Object.fromEntries(named)) as Record<string, string>,
    ...(body !== undefined && { body: hider.value(body) }),
  };
}

/**
 * Two versions. Reports leave out how a text is written, and headers of the connection. If the versions differ only in these,
 * they are shown.
 */
export function shownSides(one: Version, other: Version): { before: Shown; after: Shown } {
  const [before, after] = [shownVersion(one), shownVersion(other)];
  if (!isDeepStrictEqual(before, after)) return { before, after };
  if (one.text !== other.text) return { before: { ...before, body: hidden(one) }, after: { ...after, body: hidden(other) } };
  const differing = ({ headers }: Version, { headers: others }: Version) =>
    Object.fromEntries(Object.entries(headers).filter(([name, value]) => others[name] !== value));
  return {
    before: { ...before, headers: { ...before.headers, ...differing(one, other) } },
    after: { ...after, headers: { ...after.headers, ...differing(other, one) } },
  };
}

const hidden = ({ text }: Version) => new Hider(secretsIn(parsed(text))).text(text);

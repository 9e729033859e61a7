import { isDeepStrictEqual } from 'node:util';
import type { JsonMessage, JsonReply } from '../contracts/tools/assumptions/alternative.ts';
import { parsed } from '../contracts/tools/assumptions/asked.ts';
import { isRecord } from '../contracts/tools/json.ts';
import { Hider, secretsIn } from '../contracts/tools/secrets.ts';
import type { Shown } from './types.ts';

/** A reply or webhook as it is sent. */
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

export function shownReply({ status, headers, body }: JsonReply): Shown {
  const value = typeof body === 'string' ? parsed(body) : body;
  // Only a stub explains its refusals.
  if (status < 400 || !isRecord(value)) return { status, ...partsOf(headers, value) };
  const { help: _help, ...own } = value;
  return { status, ...partsOf(headers, own) };
}

export function shownMessage({ metadata, body }: Pick<JsonMessage, 'metadata' | 'body'>): Shown {
  const headers = Object.entries(metadata).map(([name, value]) => [
    name.toLowerCase(),
    signature.test(name) ? String(value).replaceAll(/[A-Za-z0-9+/]{20,}={0,2}/g, '…') : String(value),
  ]);
  return partsOf(Object.fromEntries(headers), body);
}

function partsOf(headers: Record<string, string>, body: unknown): Pick<Shown, 'headers' | 'body'> {
  const hider = new Hider([...secretsIn(headers), ...secretsIn(body)]);
  const shown = Object.entries(headers).filter(([name]) => !ordinary.test(name.toLowerCase()));
  return {
    headers: hider.value(Object.fromEntries(shown)) as Record<string, string>,
    ...(body !== undefined && { body: hider.value(body) }),
  };
}

/** Two versions. If they differ only in what reports leave out, these show it: how a text is written, and headers of the connection. */
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

const shownVersion = ({ status, headers, text }: Version): Shown =>
  status === undefined
    ? shownMessage({ metadata: headers, body: parsed(text) })
    : shownReply({ status, headers, body: parsed(text) });

const hidden = ({ text }: Version) => new Hider(secretsIn(parsed(text))).text(text);

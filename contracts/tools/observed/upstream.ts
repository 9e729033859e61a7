import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { isLoopback } from '../../../gateway/base/addresses.ts';
import { guardedConnector } from '../../../gateway/webhooks/sending/connect.ts';
import { hostOf, refusedUrl } from '../../../gateway/webhooks/sending/guard.ts';
import { CouldNotRun } from '../could-not-run.ts';

export interface Upstream {
  /** Without a path: `https://sandbox.example`. */
  origin: string;
  /** The path before that of each call, without a slash at its end. */
  prefix: string;
  dispatcher: Dispatcher;
}

export const deadlineMs = 60_000;

/**
 * Checks an address that calls are forwarded to, and opens connections to it. A name is looked up at each connection, and its
 * addresses are checked as those of webhooks are. Throws `CouldNotRun` for an address that may not be called.
 */
function opened(option: string, address: string, lookup?: LookupFunction): { url: URL; dispatcher: Dispatcher } {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CouldNotRun(`${option} must be an address such as https://sandbox.example.`);
  if (url.username !== '' || url.password !== '')
    throw new CouldNotRun(`${option} must have no user and no password. The calls carry their own credentials.`);
  if (url.hash !== '') throw new CouldNotRun(`${option} must have no fragment.`);
  const host = hostOf(url.hostname);
  // Plain names of this machine are the user's own. Another name that leads here is not.
  const allow = { loopback: isLoopback(host) || /^(.+\.)?localhost\.?$/.test(host) };
  const refused = refusedUrl(url, allow);
  if (refused !== null) throw new CouldNotRun(`${option} ${url.origin} may not be called: ${refused}.`);
  const connect = guardedConnector({ allow, connectTimeoutMs: 10_000, ...(lookup && { lookup }) });
  return { url, dispatcher: new Agent({ connect, headersTimeout: deadlineMs, bodyTimeout: deadlineMs }) };
}

/** Opens connections to the service. Paths of calls are added to its address. */
export function openUpstream(address: string, lookup?: LookupFunction): Upstream {
  if (URL.parse(address)?.search) throw new CouldNotRun('--upstream must have no query and no fragment.');
  const { url, dispatcher } = opened('--upstream', address, lookup);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ''), dispatcher };
}

/** A receiver of webhooks. */
export interface Receiver {
  origin: string;
  /** With the query. */
  path: string;
  /** For messages: the service may read them, and the query may hold a secret. */
  urlWithoutQuery: string;
  dispatcher: Dispatcher;
}

/** Opens connections to the partner's receiver. */
export function openReceiver(address: string, lookup?: LookupFunction): Receiver {
  const { url, dispatcher } = opened('--webhooks-to', address, lookup);
  return {
    ...{ origin: url.origin, path: url.pathname + url.search, urlWithoutQuery: url.origin + url.pathname },
    dispatcher,
  };
}

import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { isLoopbackHost } from '../../../gateway/base/addresses.ts';
import { hostOf } from '../../../gateway/base/hosts.ts';
import { guardedConnector } from '../../../gateway/webhooks/sending/connect.ts';
import { refusedUrl } from '../../../gateway/webhooks/sending/guard.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { openConnections } from '../outgoing.ts';

/** The service, or the partner's receiver of webhooks. */
export interface Upstream {
  /** Without a path: `https://sandbox.example`. */
  origin: string;
  /** With the query. For the service it is the part before the path of each call, without a slash at the end. */
  path: string;
  dispatcher: Dispatcher;
}

const deadlineMs = 60_000;

/**
 * Opens connections to an address. Each look-up of its name is checked as for webhooks, unless the
 * environment's proxy makes it. Throws `CouldNotRun` if the address may not be called.
 */
function opened(option: string, address: string, lookup?: LookupFunction): Upstream {
  const refuse = (why: string) => new CouldNotRun(`${option} ${why}`);
  // The part before it is not printed: it may be a password, also in an address that cannot be parsed.
  if (address.includes('@'))
    throw refuse('must have no user and no password. The calls carry their own. Write the "@" of a path as %40.');
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('must be an address such as https://sandbox.example.');
  const { origin, pathname, search, port, hash } = url;
  if (hash !== '') throw refuse('must have no fragment.');
  const host = hostOf(url.hostname);
  const callable = `Use http://127.0.0.1${port && `:${port}`}.`;
  if (host === '0.0.0.0' || host === '::')
    throw refuse(`is an address that a server listens on, but nobody can call it there. ${callable}`);
  // A name that leads to this machine, other than `localhost`, is refused.
  const allow = { loopback: isLoopbackHost(host) };
  const refused = refusedUrl(url, allow);
  if (refused !== null) throw refuse(`${origin} may not be called: ${refused}.`);
  const connect = guardedConnector({ allow, connectTimeoutMs: 10_000, ...(lookup && { lookup }) });
  const dispatcher = openConnections(origin, { connect, headersTimeout: deadlineMs, bodyTimeout: deadlineMs });
  return { origin, path: pathname + search, dispatcher };
}

/** Opens connections to the service. Paths of calls are added to its address. */
export function openUpstream(address: string, lookup?: LookupFunction): Upstream {
  if (URL.parse(address)?.search) throw new CouldNotRun('--upstream must have no query and no fragment.');
  const upstream = opened('--upstream', address, lookup);
  return { ...upstream, path: upstream.path.replace(/\/+$/, '') };
}

export const openReceiver = (address: string): Upstream => opened('--webhooks-to', address);

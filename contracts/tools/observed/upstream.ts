import { isLoopbackHost } from '../../../gateway/base/addresses.ts';
import { hostOf } from '../../../gateway/base/hosts.ts';
import { CouldNotRun } from '../could-not-run.ts';

/** The service, or the partner's receiver of webhooks. */
export interface Upstream {
  /** Without a path: `https://sandbox.example`. */
  origin: string;
  /** With the query. For the service it is the part before the path of each call, without a slash at the end. */
  path: string;
}

/** Throws `CouldNotRun` if the address may not be called. The calls carry credentials, so http is for this machine only. */
function addressOf(option: string, address: string): URL {
  const refuse = (why: string) => new CouldNotRun(`${option} ${why}`);
  // The part before it is not printed: it may be a password, also in an address that cannot be parsed.
  if (address.includes('@'))
    throw refuse('must have no user and no password. The calls carry their own. Write the "@" of a path as %40.');
  const url = URL.parse(address);
  const isLocal = url?.protocol === 'http:' && isLoopbackHost(hostOf(url.hostname));
  if (!url || (url.protocol !== 'https:' && !isLocal))
    throw refuse('must be an address such as https://sandbox.example, or of this machine, such as http://127.0.0.1:3000.');
  return url;
}

/** The service. Paths of calls are added to its address. */
export function serviceAt(address: string): Upstream {
  const { origin, pathname, search } = addressOf('--upstream', address);
  if (search !== '') throw new CouldNotRun('--upstream must have no query.');
  return { origin, path: pathname.replace(/\/+$/, '') };
}

export function receiverAt(address: string): Upstream {
  const { origin, pathname, search } = addressOf('--webhooks-to', address);
  return { origin, path: pathname + search };
}

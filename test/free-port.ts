import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to servers that ask for any port. */
const first = 20_000;
const ports = 10_000;
/** Those of this process that may still be left free. */
const given = new Set<number>();

/**
 * Returns a port of this machine on which nothing listens. It may be left free for a while and taken later: no connection and
 * no other server gets it meanwhile, as they would get a port that the system has chosen.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * ports);
    if (given.has(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    given.add(port);
    return port;
  }
}

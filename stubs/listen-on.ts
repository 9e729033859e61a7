import type { FastifyInstance } from 'fastify';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** Listens; the address that clients on this machine use. Throws `CouldNotRun` where the port is taken or the host is none. */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CouldNotRun(`Port ${port} on ${host} is taken. Stop what runs there, or take another: --port 0 is any free one.`);
    throw new CouldNotRun(`Cannot listen on ${host}:${port}: ${message}.`);
  }
  const taken = (app.addresses()[0] as { port: number }).port;
  const named = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${named}:${taken}`;
}

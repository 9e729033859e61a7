import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** What happens to the bytes of one direction. By default they pass. */
interface Treatment {
  /** Each piece takes this long. */
  delayMs?: number;
  /** Nothing arrives until the fault is over; then everything does, also the end of the connection. */
  held?: boolean;
  /** Each connection is reset when it has carried so many bytes more, in the middle of whatever that is. */
  resetAfterBytes?: number;
}

/** A fault of the network between a client and its server. */
export interface Fault {
  requests?: Treatment;
  answers?: Treatment;
}

export interface Network {
  /** The server's URL, through the network. */
  url: string;
  /** Replaces the fault that there is. */
  suffers(fault: Fault): void;
  /** From now on, new connections are made to this server. */
  leadsTo(url: string): void;
}

/** Passes on the bytes of one connection. */
type Carry = (client: Socket, server: Socket, connection: number) => void;

/** A TCP proxy to a server. Returns the server's URL through it. */
export async function proxyTo(urlOf: () => string, carry: Carry): Promise<string> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const { hostname, port } = new URL(urlOf());
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    carry(client, server, connections++);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const url = new URL(urlOf());
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return url.href;
}

/** A network in which a test causes faults. */
export async function networkTo(serverUrl: string): Promise<Network> {
  let target = serverUrl;
  let fault: Fault = {};
  let changed = Promise.withResolvers<void>();
  const carry = async (from: Socket, to: Socket, direction: keyof Fault) => {
    let carried = 0;
    let during = fault;
    const arrival = async () => {
      await delay(fault[direction]?.delayMs ?? 0);
      while (fault[direction]?.held) await changed.promise;
    };
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) {
        await arrival();
        if (during !== fault) [during, carried] = [fault, 0];
        const rest = (fault[direction]?.resetAfterBytes ?? Number.POSITIVE_INFINITY) - carried;
        carried += bytes.length;
        to.write(bytes.subarray(0, rest));
        if (bytes.length > rest) for (const socket of [from, to]) socket.resetAndDestroy();
      }
      await arrival();
      to.end();
    } catch {
      await arrival();
      to.destroy();
    }
  };
  const url = await proxyTo(
    () => target,
    (client, server) => {
      void carry(client, server, 'requests');
      void carry(server, client, 'answers');
    },
  );
  return {
    url,
    suffers(next) {
      fault = next;
      changed.resolve();
      changed = Promise.withResolvers();
    },
    leadsTo(other) {
      target = other;
    },
  };
}

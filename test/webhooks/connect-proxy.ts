import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the proxy does with a CONNECT: it opens the tunnel, answers this status, or does not answer. */
type Conduct = 'opens' | 'is silent' | number;

export interface TestProxy {
  url: string;
  asked: { target: string; authorization: string | undefined }[];
  conduct: (target: string) => Conduct;
  /** Status lines of answers that it sends before its final one, such as `103 Early Hints`. */
  interim: readonly string[];
  server: Server;
  /** Ends the tunnels that are open. */
  cut(): void;
  /** Ends as a killed process does. */
  die(): void;
}

/** Starts an http proxy that understands CONNECT. */
export async function startProxy(port = 0): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const server = createServer();
  const proxy: TestProxy = {
    url: '',
    asked: [],
    conduct: () => 'opens',
    interim: [],
    server,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    die() {
      server.close();
      proxy.cut();
    },
  };
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  server.on('connect', (request, socket, head) => {
    const target = request.url ?? '';
    proxy.asked.push({ target, authorization: request.headers['proxy-authorization'] });
    const conduct = proxy.conduct(target);
    socket.write(proxy.interim.map((line) => `HTTP/1.1 ${line}\r\n\r\n`).join(''));
    if (conduct === 'is silent') return;
    if (conduct !== 'opens') return void socket.end(`HTTP/1.1 ${conduct} No\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port: to } = new URL(`http://${target}`);
    const upstream = connect(Number(to || 80), hostname.replace(/[[\]]/g, ''));
    upstream.on('error', () => socket.destroy());
    upstream.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => proxy.die());
  proxy.url = `http://egress:s3cr3t%40x@127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return proxy;
}

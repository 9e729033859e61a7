import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a server that takes whole requests, and writes these interim answers before each answer, though nobody has asked for them (RFC
 * 9110, 15.2). Returns its URL, and how many requests it has taken.
 */
export async function interimServer(interim: readonly string[], answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}') {
  let taken = 0;
  const server = createServer((socket) => {
    let seen = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      const head = seen.indexOf('\r\n\r\n');
      if (head < 0 || seen.length < head + 4 + Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? 0)) return;
      seen = '';
      taken += 1;
      socket.write(interim.map((line) => `HTTP/1.1 ${line}\r\n\r\n`).join('') + answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, taken: () => taken };
}

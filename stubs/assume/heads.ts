import type { Socket } from 'node:net';

/**
 * Lets a function rewrite what comes before the body of each request on a connection. The HTTP client adds headers of its own,
 * such as Host, whose names no option changes. It writes them with all others as one text.
 */
export function rewriteHeads(socket: Socket, rewrite: (head: string) => string): void {
  const write = socket.write as (...written: unknown[]) => boolean;
  socket.write = ((first: unknown, ...others: unknown[]) =>
    write.call(socket, isHead(first) ? rewrite(first) : first, ...others)) as Socket['write'];
}

/** A body never fits: it is JSON. */
const isHead = (written: unknown): written is string =>
  typeof written === 'string' && /^POST \S+ HTTP\/1\.1\r\n/.test(written) && written.endsWith('\r\n\r\n');

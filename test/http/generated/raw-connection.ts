import { connect, type Socket } from 'node:net';

export interface RawReply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** One connection that sends any bytes and reads HTTP/1.1 replies, without a client that corrects what it sends. */
export class RawConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request and reads its reply. Null if the connection was closed without one. */
  async exchange(bytes: Buffer, isHead: boolean): Promise<RawReply | null> {
    const socket = this.#open();
    socket.write(bytes);
    for (;;) {
      const reply = this.#parse(isHead);
      if (reply && reply.status >= 200) {
        if (reply.headers.connection === 'close') this.close();
        return reply;
      }
      if (reply) continue;
      if (socket.readableEnded || socket.destroyed) {
        this.close();
        return null;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
  }

  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable && !this.#socket.readableEnded) return this.#socket;
    this.#received = Buffer.alloc(0);
    const socket = connect(this.#port, '127.0.0.1');
    const wake = () => this.#wake?.();
    socket.on('data', (chunk) => {
      if (this.#socket !== socket) return;
      this.#received = Buffer.concat([this.#received, chunk]);
      wake();
    });
    for (const event of ['end', 'close', 'error']) socket.on(event, wake);
    this.#socket = socket;
    return socket;
  }

  #parse(isHead: boolean): RawReply | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [line = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
    );
    const status = Number(line.split(' ')[1]);
    const isEmpty = isHead || status < 200 || status === 204 || status === 304;
    const rest = this.#received.subarray(end + 4);
    if (isEmpty) return this.#taken({ status, headers, body: '' }, end + 4);
    if (headers['transfer-encoding'] === 'chunked') return this.#chunked({ status, headers, body: '' }, end + 4);
    const length = Number(headers['content-length'] ?? 0);
    if (rest.length < length) return null;
    return this.#taken({ status, headers, body: rest.toString('utf8', 0, length) }, end + 4 + length);
  }

  #chunked(reply: RawReply, start: number): RawReply | null {
    const chunks: Buffer[] = [];
    for (let at = start; ; ) {
      const lineEnd = this.#received.indexOf('\r\n', at);
      if (lineEnd < 0) return null;
      const length = Number.parseInt(this.#received.toString('latin1', at, lineEnd), 16);
      const next = lineEnd + 2 + length + 2;
      if (this.#received.length < next) return null;
      if (length === 0) return this.#taken({ ...reply, body: Buffer.concat(chunks).toString('utf8') }, next);
      chunks.push(this.#received.subarray(lineEnd + 2, lineEnd + 2 + length));
      at = next;
    }
  }

  #taken(reply: RawReply, bytes: number): RawReply {
    this.#received = this.#received.subarray(bytes);
    return reply;
  }
}

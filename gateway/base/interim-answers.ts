import { subscribe } from 'node:diagnostics_channel';

/** The part of undici's parser that is called at the end of each head, and what it needs then. */
interface Parser {
  client: object;
  statusCode: number;
  headers: Buffer[];
  headersSize: number;
  onHeadersComplete(status: number, ...rest: unknown[]): number;
}

const prepared = new WeakSet<object>();
let isSubscribed = false;

/** The parser's answer for a head that no body follows. */
const withoutBody = 1;

/**
 * Makes undici, and Node's `fetch`, skip interim answers that they would take for the final one: an unasked
 * `100 Continue`, and to CONNECT each of them. By themselves they close the connection, although the final
 * answer follows (RFC 9110, 15.2: a client must read and may ignore them). Call it before the first
 * request; again does nothing. undici publishes each new connection, whose parser is not exported.
 */
export function skipInterimAnswers(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('undici:client:connected', (message) => {
    const parser = fieldOf((message as { socket: object }).socket, 'parser') as Parser | null | undefined;
    // A connection of HTTP/2 has no parser.
    const shape = parser && (Object.getPrototypeOf(parser) as Parser);
    if (!shape || prepared.has(shape)) return;
    prepared.add(shape);
    const { onHeadersComplete } = shape;
    shape.onHeadersComplete = function (this: Parser, status, ...rest) {
      if (isInterim(status) && isConnecting(this.client)) return skipHead(this, status);
      return onHeadersComplete.call(this, status === 100 ? 103 : status, ...rest);
    };
  });
}

/** 101 is a final answer: the protocol changes. */
const isInterim = (status: number) => status < 200 && status !== 101;

/** undici takes each answer to CONNECT for the end of HTTP, so this one must not reach it. */
function skipHead(parser: Parser, status: number): number {
  parser.statusCode = status;
  parser.headers = [];
  parser.headersSize = 0;
  return withoutBody;
}

/** True if the answer belongs to CONNECT. */
function isConnecting(client: object): boolean {
  const queue = fieldOf(client, 'queue') as { method?: string }[] | undefined;
  const index = fieldOf(client, 'running index') as number;
  return queue?.[index]?.method === 'CONNECT';
}

/** undici's own fields have symbols for names. */
function fieldOf(of: object, name: string): unknown {
  const symbol = Object.getOwnPropertySymbols(of).find(({ description }) => description === name);
  return symbol && (of as Record<symbol, unknown>)[symbol];
}

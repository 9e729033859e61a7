import { subscribe } from 'node:diagnostics_channel';

/** The part of undici's parser that is called at the end of each head. */
interface Parser {
  onHeadersComplete(status: number, ...rest: unknown[]): number;
}

const prepared = new WeakSet<object>();
let isSubscribed = false;

/**
 * Makes undici, and Node's `fetch`, skip a `100 Continue` that they have not asked for, as they skip the other interim answers. By
 * themselves they close the connection, although the final answer follows (RFC 9110, 15.2: a client must read and may ignore them).
 * Call it before the first request; again does nothing. undici publishes each new connection, whose parser is not exported.
 */
export function skipInterimAnswers(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('undici:client:connected', (message) => {
    const parser = parserOf((message as { socket: object }).socket);
    const shape = parser && (Object.getPrototypeOf(parser) as Parser);
    if (!shape || prepared.has(shape)) return;
    prepared.add(shape);
    const { onHeadersComplete } = shape;
    shape.onHeadersComplete = function (this: Parser, status, ...rest) {
      return onHeadersComplete.call(this, status === 100 ? 103 : status, ...rest);
    };
  });
}

/** Returns undefined for a connection of HTTP/2, which has no parser. */
function parserOf(socket: object): Parser | undefined {
  const name = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return name && ((socket as Record<symbol, Parser | null | undefined>)[name] ?? undefined);
}

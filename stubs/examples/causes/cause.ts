import type { Core } from '../../core.ts';

/** A request to the reference implementation. */
export interface Asked {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. A text is sent as it is. */
  body?: unknown;
}

/** What a cause may use to bring its reply about. */
export interface Scene {
  core: Core;
  /** The correct request of the operation. */
  correct: Asked;
  /** Makes a call. Returns the reply's body. */
  call(asked: Asked): Promise<Record<string, unknown>>;
  /** Advances the clock, in milliseconds. */
  advance(byMs: number): Promise<void>;
  /** From now on the store fails with this error. */
  failStore(error: Error): void;
  /** From now on the operations without a limit have one, as an operator may set it (OPERATION_LIMITS). */
  limitOperations(): void;
  /** From now on no call can be counted against its limits. */
  loseCounters(): void;
}

/** One reply that the documents provide for, and how to get it from the reference implementation. */
export interface Cause {
  name: string;
  cause: string;
  /** The operations that give this reply; all of them if absent. */
  operations?: readonly string[];
  /** Prepares data. Returns the request that gets the reply; nothing for the correct one. */
  ask?(scene: Scene): Asked | undefined | Promise<Asked | undefined>;
}

export const withHeaders = (asked: Asked, headers: Record<string, string>): Asked => ({
  ...asked,
  headers: { ...asked.headers, ...headers },
});
export const withBody = (asked: Asked, fields: object): Asked => ({ ...asked, body: { ...(asked.body as object), ...fields } });
export const withQuery = (asked: Asked, query: Record<string, string>): Asked => {
  const [path = '', before] = asked.url.split('?');
  return { ...asked, url: `${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(before)), ...query })}` };
};

export function without(asked: Asked, header: string): Asked {
  const { [header]: _left, ...headers } = asked.headers;
  return { ...asked, headers };
}

/** Makes the call as often as the limits allow, which is 100 times at most in both documents. */
export async function untilLimited({ call }: Scene, asked: Asked): Promise<Asked> {
  for (let times = 0; times < 100; times++) await call(asked);
  return asked;
}

import type { Patch, Where } from '../../../gateway/store/port.ts';
import type { TableName } from '../../../gateway/store/tables/index.ts';
import type { Core } from '../../core.ts';

/** The time of every example. */
export const atMs: number = Date.UTC(2026, 10, 21, 8, 53);

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
  failStore(error: Error): void;
  /** From now on the operations without a limit have one, as an operator may set it (OPERATION_LIMITS). */
  limitOperations(): void;
}

/** One reply that the documents provide for, and how to get it from the reference implementation. */
export interface Cause {
  name: string;
  cause: string;
  /** The operations that give this reply; `everywhere` for all of them. */
  operations: readonly string[] | undefined;
  /** Prepares data. Returns the request that gets the reply; nothing for the correct one. */
  ask: Ask | undefined;
}

type Ask = (scene: Scene) => Asked | undefined | Promise<Asked | undefined>;

export const everywhere = undefined;

export const reply = (name: string, operations: Cause['operations'], cause: string, ask?: Ask): Cause => ({
  name,
  operations,
  cause,
  ask,
});

export const withHeaders = (asked: Asked, headers: Record<string, string>): Asked => ({
  ...asked,
  headers: { ...asked.headers, ...headers },
});
export const withBody = (asked: Asked, fields: object): Asked => ({ ...asked, body: { ...(asked.body as object), ...fields } });
export const withQuery = (asked: Asked, query: Record<string, string>): Asked => {
  const [path = '', before] = asked.url.split('?');
  return { ...asked, url: `${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(before)), ...query })}` };
};

/** Asks with the correct request, in which this is different. */
export const request =
  (changes: Partial<Asked>): Ask =>
  ({ correct }) => ({ ...correct, ...changes });
export const headers =
  (changes: Record<string, string>): Ask =>
  ({ correct }) =>
    withHeaders(correct, changes);
export const body =
  (fields: object): Ask =>
  ({ correct }) =>
    withBody(correct, fields);
export const query =
  (changes: Record<string, string>): Ask =>
  ({ correct }) =>
    withQuery(correct, changes);

/** Asks after a change of stored rows. */
export const changing =
  <T extends TableName>(table: T, where: Where<T>, patch: Patch<T>): Ask =>
  async ({ core }) => {
    await core.store.update(table, where, patch);
    return undefined;
  };

/** Makes the call as often as the limits allow, which is 100 times at most in both documents. */
export async function untilLimited({ call, correct }: Scene, asked = correct): Promise<Asked> {
  for (let times = 0; times < 100; times++) await call(asked);
  return asked;
}

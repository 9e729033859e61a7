import type { MatchersV3, Pact } from '@pact-foundation/pact';
import { rests } from './pact.ts';

/** Names and parameters as in contracts/tools/verification/STATES.md. */
export type State = readonly [name: string, params?: StateParameters];
export type StateParameters = Record<string, string | number | boolean>;

type Value = string | MatchersV3.Matcher<string>;

/** A call of a provider, as a consumer makes it. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: Value;
  headers?: Record<string, Value>;
  query?: Record<string, Value>;
  body?: object;
}

export interface Asked extends Call {
  description: string;
  /** What must be so before, in this order. */
  states?: readonly State[];
  /** What it rests on, by id of the gap register. */
  gaps?: Readonly<Record<string, string>>;
}

/** Begins an interaction: all of it up to what the provider answers. */
export function ask(pact: Pact, { description, states = [], gaps = {}, method, path, headers = {}, query = {}, body }: Asked) {
  const interaction = rests(pact.addInteraction(), gaps).uponReceiving(description);
  for (const [name, params] of states) interaction.given(name, params);
  return interaction.withRequest(method, path, (request) => {
    request.headers(headers).query(query);
    if (body !== undefined) request.jsonBody(body);
  });
}

/** A kind of call of a consumer, and how its client makes it. */
export interface Operation<Client> extends Call {
  name: string;
  states?: readonly State[];
  gaps?: Readonly<Record<string, string>>;
  call(client: Client): Promise<unknown>;
}

/** A reason to refuse many operations. */
export interface Refused {
  /** Follows on the operation's name. */
  how: string;
  states?: readonly State[];
  /** What the client has as its token, and how it sends it. */
  token: string;
  authorization: Value;
  status: number;
  gaps?: Readonly<Record<string, string>>;
}

/** Every operation with every reason, for `test.each`. */
export const each = <Client>(operations: readonly Operation<Client>[], reasons: readonly Refused[]) =>
  reasons.flatMap((reason) =>
    operations.map((operation) => ({ description: `${operation.name} ${reason.how}`, operation, reason })),
  );

/** Asks for the operation in such a way that it is refused. */
export function askRefused<Client>(pact: Pact, { description, operation, reason }: ReturnType<typeof each<Client>>[number]) {
  const { method, path, query = {}, body, headers = {} } = operation;
  return ask(pact, {
    description,
    states: [...(reason.states ?? []), ...(operation.states ?? [])],
    gaps: { ...operation.gaps, ...reason.gaps },
    method,
    path,
    query,
    headers: { ...headers, Authorization: reason.authorization },
    ...(body === undefined ? {} : { body }),
  });
}

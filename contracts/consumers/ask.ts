import type { MatchersV3, Pact } from '@pact-foundation/pact';
import { holds, rests } from './pact.ts';

/** A provider state: see contracts/tools/verification/STATES.md. */
export type State = readonly [name: string, params?: StateParameters];
export type StateParameters = Record<string, string | number | boolean | string[]>;

type Value = string | MatchersV3.Matcher<string>;

/** A consumer's call of a provider. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: Value;
  headers?: Record<string, Value>;
  query?: Record<string, Value>;
  body?: object;
}

export interface Asked extends Call {
  description: string;
  /** The provider states, in this order. */
  states?: readonly State[];
  /** Why the interaction depends on each gap, by gap id. */
  gaps?: Readonly<Record<string, string>>;
  /** Ids of the documented behaviours without which the interaction fails. */
  holding?: readonly string[];
}

/** Behaviours that the document promises without saying how they show, by the gap on which an interaction depends that holds them. */
const shownBy: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cohesion/no-caching': { 'cohesion.cache-control': 'a reply that no cache may keep says so in Cache-Control' },
};

/** Starts an interaction: everything except the provider's reply. */
export function ask(pact: Pact, asked: Asked) {
  const { description, states = [], holding = [], method, path, headers = {}, query = {}, body } = asked;
  const gaps = Object.assign({}, asked.gaps, ...holding.map((behaviour) => shownBy[behaviour]));
  const interaction = holds(rests(pact.addInteraction(), gaps), holding).uponReceiving(description);
  for (const [name, params] of states) interaction.given(name, params);
  return interaction.withRequest(method, path, (request) => {
    request.headers(headers).query(query);
    if (body !== undefined) request.jsonBody(body);
  });
}

/** An operation that a consumer uses, and how its client calls it. */
export interface Operation<Client> extends Call {
  name: string;
  states?: readonly State[];
  gaps?: Readonly<Record<string, string>>;
  call(client: Client): Promise<unknown>;
}

/** A reason for which many operations are refused. */
export interface Refused {
  /** Text after the operation's name. */
  how: string;
  states?: readonly State[];
  /** The client's token, and the header in which it is sent; nothing for a client without a token. */
  token?: string;
  authorization?: Value;
  status: number;
  gaps?: Readonly<Record<string, string>>;
  holding?: readonly string[];
}

/** Returns every combination of operation and reason, for `test.each`. */
export const each = <Client>(operations: readonly Operation<Client>[], reasons: readonly Refused[]) =>
  reasons.flatMap((reason) =>
    operations.map((operation) => ({ description: `${operation.name} ${reason.how}`, operation, reason })),
  );

/** Starts an interaction in which the operation is refused. */
export function askRefused<Client>(pact: Pact, { description, operation, reason }: ReturnType<typeof each<Client>>[number]) {
  const { method, path, query = {}, body, headers = {} } = operation;
  return ask(pact, {
    description,
    states: [...(reason.states ?? []), ...(operation.states ?? [])],
    gaps: { ...operation.gaps, ...reason.gaps },
    holding: reason.holding ?? [],
    method,
    path,
    query,
    headers: authorizedBy(reason, headers),
    ...(body === undefined ? {} : { body }),
  });
}

/** Returns the headers with the Authorization of a refused call, or without any. */
export function authorizedBy({ authorization }: Refused, { Authorization: _, ...others }: Record<string, Value>) {
  return authorization === undefined ? others : { ...others, Authorization: authorization };
}

import { MatchersV3, type Pact } from '@pact-foundation/pact';
import { expect } from 'vitest';
import { holds, rests } from './pact.ts';
import { exampleToken, expectRefusal, json, live, success } from './shapes.ts';

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

/** A call that a consumer makes by its client, and the reply that it needs. */
export interface Exchange<Client> extends Asked {
  /** By default any status of a success. */
  status?: number | ReturnType<typeof success>;
  /** The reply's content, if the document shows it or a gap settles it. */
  shown?: object;
  /** The client throws the reply's content away. */
  isUnread?: true;
  /** The client's token, by default the example; null for a client without a token. */
  token?: string | null;
  call(client: Client): Promise<unknown>;
}

/** Returns a function that tests an exchange: the client reads what is shown, or gets the refusal. */
export const exchangeOn =
  <Client>(pact: Pact, open: (root: string, token: string | undefined) => Client) =>
  ({ status = success(200), shown, isUnread, token = exampleToken, call, ...asked }: Exchange<Client>) =>
    ask(pact, asked)
      .willRespondWith(status, (reply) => {
        const typed = (asked.holding?.includes('cohesion/no-caching') ? live : json)(reply);
        if (shown !== undefined) typed.jsonBody(shown);
      })
      .executeTest(async ({ url }) => {
        const answer = call(open(url, token ?? undefined));
        if (typeof status === 'number' && status >= 400) return expectRefusal(answer, status);
        const read = await answer;
        if (shown !== undefined && !isUnread) expect(read).toEqual(MatchersV3.reify(shown as never));
      });

/** An operation that a consumer uses. */
export type Operation<Client> = Omit<Exchange<Client>, 'description' | 'holding'> & { name: string };

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

/** Returns every combination of operation and reason. */
export const each = <Client>(operations: readonly Operation<Client>[], reasons: readonly Refused[]): Exchange<Client>[] =>
  reasons.flatMap((reason) => operations.map((operation) => refusedFor(reason, operation)));

/** Returns the exchange in which the operation is refused. */
export function refusedFor<Client>(reason: Refused, { name, headers, ...operation }: Operation<Client>): Exchange<Client> {
  const { how, authorization, token = null, status, states = [], gaps, holding = [] } = reason;
  const { Authorization: _, ...others } = headers ?? {};
  return {
    ...operation,
    description: `${name} ${how}`,
    states: [...states, ...(operation.states ?? [])],
    gaps: { ...operation.gaps, ...gaps },
    holding,
    headers: authorization === undefined ? others : { ...others, Authorization: authorization },
    token,
    status,
  };
}

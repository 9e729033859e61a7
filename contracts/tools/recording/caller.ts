import type { ProviderState } from '../states/state.ts';
import { LeftOut, type Recreated, type SampledRequest, type Scene } from './scene.ts';

/** The provider state that gives the token, and the words of a pact about it. */
interface Caller {
  states: ProviderState[];
  header?: string;
  /** Where the header comes from a state. */
  from?: string;
  words: string[];
}

export const given = (name: string, params: Record<string, unknown> = {}): ProviderState => ({ name, params });

/** Finds the kind of caller, from the Authorization header and the replies to it in the whole recording. */
function callerOf({ isSecured, authorization, call: { status }, facts }: Scene, token: ProviderState): Caller {
  if (!isSecured) return { states: [], words: [] };
  if (authorization === undefined || authorization === '') return { states: [], words: ['without a token'] };
  const scheme = /^(Basic|Digest|Token|ApiKey) /i.exec(authorization)?.[1];
  if (!/^Bearer /i.test(authorization))
    return { states: [], header: `${scheme ?? 'Token'} not-a-token`, words: [`with the scheme ${scheme ?? 'Token'}`] };
  const own = { header: 'Bearer example', from: stateValue('token', 'Bearer ') };
  if (status !== 401) return { ...own, states: [token], words: [] };
  if (facts.isAccepted(authorization))
    return { ...own, states: [given('an expired access token')], words: ['with an expired token'] };
  return { states: [], header: 'Bearer not-a-token', words: ['with an unknown token'] };
}

/** The situation that an operation's own states describe. Without `sample` the request stays as it is. */
export type Situation = Omit<Recreated, 'sample' | 'from'> & { from?: Record<string, string>; sample?: SampledRequest };

/** A text that ends with a value of a state, in the form of Pact's generators. */
export const stateValue = (name: string, before = ''): string => `${before}\${${name}}`;

export const nothing: Situation = { states: [], words: [] };

/**
 * Puts caller and situation together. A request that is refused for its token needs no data, only the ids of every pact. `limited` makes the state in which
 * the limit is used up.
 */
export function recreatedFor(
  scene: Scene,
  situation: () => Situation,
  { token = given('an access token'), limited }: { token?: ProviderState | undefined; limited?: ProviderState | undefined } = {},
): Recreated {
  const { status } = scene.call;
  if (status === 429 && limited === undefined) throw new LeftOut('no state uses up the limit of this operation');
  const caller = callerOf(scene, (status === 429 && limited) || token);
  const isRefused = scene.isSecured && status === 401;
  const { sample = scene.sample, ...made } = situation();
  const { states, from, words, ...rest } = isRefused ? nothing : made;
  return {
    ...rest,
    states: [...caller.states, ...states],
    from: { ...from, ...(caller.from && { 'header.Authorization': caller.from }) },
    sample: { ...sample, headers: { ...sample.headers, ...(caller.header && { Authorization: caller.header }) } },
    words: [...caller.words, ...words],
  };
}

/**
 * Leaves out a call that was refused although nothing in the request is wrong. The reason must be something else in the provider.
 */
export function unexplained({ call }: Scene): never {
  throw new LeftOut(`nothing in the request explains the status ${call.status}`);
}

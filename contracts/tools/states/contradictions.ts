import type { ServiceName } from '../../documents/services.ts';
import { statesNamed } from './register.ts';
import type { ProviderState, State } from './state.ts';

/** States that cannot both be true in one interaction. */
interface Contradiction {
  one: readonly string[];
  others: readonly string[];
  /** The parameter that may tell two records apart: a store that exists, and another one that does not. */
  unless?: string;
}

const tokens = (names: readonly string[]): Contradiction[] =>
  names.map((name, index) => ({ one: [name], others: names.slice(index + 1) }));

/** A contradiction does not stop an interaction: the last state decides, which the pact's author may not expect. */
const contradictions: Readonly<Record<ServiceName, readonly Contradiction[]>> = {
  pos: [
    {
      one: ['no store'],
      others: ['a store', "the plan's limit is used up", 'a sale awaiting payment', 'a paid sale', 'sales on a day'],
      unless: 'store_id',
    },
    { one: ['no sale'], others: ['a sale awaiting payment', 'a paid sale'], unless: 'reference' },
    ...tokens(['an access token', 'an expired access token', 'a revoked access token', 'a forged access token']),
  ],
  cohesion: [
    { one: ['no indicator'], others: ['an indicator', 'indicators'], unless: 'indicator_id' },
    { one: ['no financing'], others: ['a financing', 'a financing outside the perimeter'], unless: 'financing_id' },
    ...tokens([
      'an access token',
      'an access token without the ability',
      'an access token of an inactive user',
      'an expired access token',
      'a revoked access token',
      'a forged access token',
    ]),
  ],
};

interface Named {
  name: string;
  state: State;
  params: Record<string, unknown>;
}

/** Returns the known states of an interaction, with the defaults of their parameters. */
export function knownStates(provider: ServiceName, states: readonly ProviderState[]): Named[] {
  return states.flatMap(({ name, params }) =>
    statesNamed(provider, name).flatMap(({ state }) => {
      if (state === undefined) return [];
      const parsed = state.params.safeParse(params);
      return [{ name: state.name, state, params: { ...params, ...parsed.data } }];
    }),
  );
}

/** Returns one sentence for each pair of states that contradict each other. */
export function contradictionsIn(provider: ServiceName, states: readonly ProviderState[]): string[] {
  const named = knownStates(provider, states);
  return contradictions[provider].flatMap(({ one, others, unless }) =>
    named.flatMap((first) =>
      named
        .filter(({ name }) => one.includes(first.name) && others.includes(name))
        .filter(({ params }) => unless === undefined || !areApart(first.params[unless], params[unless]))
        .map(({ name }) => sentence(first.name, name, unless)),
    ),
  );
}

/** Without a parameter, the record that does not exist could be any. */
const areApart = (absent: unknown, present: unknown) => absent !== undefined && absent !== present;

const sentence = (one: string, other: string, unless: string | undefined) =>
  `The states "${one}" and "${other}" contradict each other: ${unless ? `give "${one}" another ${unless}, or remove one of them` : 'the last one decides which token is sent'}.`;

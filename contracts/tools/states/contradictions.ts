import type { ServiceName } from '../../../spec/documents/services.ts';
import { states, statesNamed } from './register.ts';
import type { ProviderState, State } from './state.ts';

interface Named {
  name: string;
  state: State;
  params: Record<string, unknown>;
}

/** Returns the known states of an interaction, with the defaults of their parameters. */
export const knownStates = (provider: ServiceName, given: readonly ProviderState[]): Named[] =>
  given.flatMap(({ name, params }) =>
    statesNamed(provider, name).flatMap(({ state }) => {
      if (state === undefined) return [];
      const parsed = state.params.safeParse(params);
      return [{ name: state.name, state, params: { ...params, ...parsed.data } }];
    }),
  );

/**
 * Returns one sentence for each pair of states that contradict each other: a record and its absence, or two tokens. It does not stop
 * an interaction: the last state decides, which the pact's author may not expect.
 */
export function contradictionsIn(provider: ServiceName, given: readonly ProviderState[]): string[] {
  const named = knownStates(provider, given);
  const inOrder = states[provider].flatMap((state) => named.filter((one) => one.state === state));
  const absences = inOrder.flatMap(({ name, state: { absent }, params }) => {
    if (absent === undefined) return [];
    const present = named.filter(({ state }) => state.absent === undefined && makes(state, absent));
    return present
      .filter((other) => !areApart(params[absent], other.params[absent]))
      .map((other) => sentence(name, other.name, `give "${name}" another ${absent}, or remove one of them`));
  });
  const tokens = inOrder.filter(({ name }) => name.includes('access token'));
  const rivals = tokens.flatMap(({ name }, at) =>
    tokens
      .slice(at + 1)
      .filter((other) => other.name !== name)
      .map((other) => sentence(name, other.name, 'the last one decides which token is sent')),
  );
  return [...absences, ...rivals];
}

const makes = ({ returns, makes: more = [] }: State, id: string) => returns.includes(id) || more.includes(id);

/** Without a parameter, the record that does not exist could be any. */
const areApart = (absent: unknown, present: unknown) => absent !== undefined && absent !== present;

const sentence = (one: string, other: string, advice: string) =>
  `The states "${one}" and "${other}" contradict each other: ${advice}.`;

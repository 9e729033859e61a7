import { didYouMean } from '../../../gateway/base/nearest.ts';
import { contradictionsIn, knownStates } from '../states/contradictions.ts';
import { stateOfEvent } from '../states/register.ts';
import type { ProviderState } from '../states/state.ts';
import type { Seen } from './harness.ts';
import { eventTypeOf } from './pact-file.ts';
import type { Verifiable } from './result.ts';

/** What makes the verdict about an interaction doubtful: its states, its event or its values do not fit together. */
export function doubtsAbout(provider: Verifiable, seen: Seen, { isReference }: { isReference: boolean }): string[] {
  if (provider === 'webhook-receiver' || seen.failures.some(({ kind }) => kind === 'state')) return [];
  const { states } = seen.written;
  // A partner's own provider has its own states.
  const ofReference = isReference ? [...contradictionsIn(provider, states), ...doubtsAboutEvent(provider, seen)] : [];
  return [...ofReference, ...notFilledIn(states), ...unknownValues(seen)];
}

function doubtsAboutEvent(provider: Exclude<Verifiable, 'webhook-receiver'>, { written }: Seen): string[] {
  const causes = knownStates(provider, written.states).flatMap(({ name, state: { event } }) => (event ? [{ name, event }] : []));
  const last = causes.at(-1);
  if (last === undefined) return [];
  const several = `Several states cause an event (${causes.map(({ name }) => `"${name}"`).join(', ')}): only the last one is compared.`;
  const named = written.kind === 'message' ? eventTypeOf(written) : undefined;
  const better = named === undefined ? undefined : stateOfEvent(provider, named);
  const other = `The contents name the event "${named}", but the state "${last.name}" causes ${last.event}.${better ? ` The state of ${named} is "${better}".` : ''}`;
  return [...(causes.length > 1 ? [several] : []), ...(named !== undefined && named !== last.event ? [other] : [])];
}

const inBraces = /\$\{[^}]*\}/;

/** Finds placeholders in parameters of states. Values of states are filled into requests only, so these stay as they are. */
const notFilledIn = (states: readonly ProviderState[]): string[] =>
  states.flatMap(({ name, params }) =>
    Object.entries(params).flatMap(([parameter, value]) => {
      const [placeholder] = inBraces.exec(JSON.stringify(value) ?? '') ?? [];
      return placeholder === undefined
        ? []
        : [`The parameter ${parameter} of the state "${name}" contains ${placeholder}, which is not filled in there.`];
    }),
  );

/** A misspelt value leaves the pact's example in its place. */
function unknownValues({ written, values }: Seen): string[] {
  const known = Object.keys(values);
  const unknown = [...new Set(written.stateValues)].filter((name) => !known.includes(name));
  const all = known.length === 0 ? 'They returned none.' : `They returned ${known.join(', ')}.`;
  return unknown.map((name) => {
    return `No state returned ${braced(name)}, so the pact's example was sent. ${didYouMean(name, known, braced)}${all}`;
  });
}

const braced = (name: string) => `\${${name}}`;

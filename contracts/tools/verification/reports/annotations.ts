import { readFileSync } from 'node:fs';
import { isRecord, jsonOr } from '../../../../spec/json.ts';
import { Lines } from '../../reports/lines.ts';
import { errorCommand, type Spot } from '../../reports/workflow-command.ts';
import type { InteractionResult, Verification } from '../result.ts';
import { placeOf, statesText } from './report.ts';

/** Returns a workflow command for each failed interaction. GitHub shows it beside the interaction, and in the list of checks. */
export function annotations({ provider, interactions, unfinished }: Verification): string[] {
  const failed = interactions.filter(({ outcome }) => outcome === 'failed');
  const spots = new PactSpots();
  return [
    ...failed.map((one) => {
      const title = `${one.consumer} – ${provider}: ${one.description}`;
      const given = one.states.length === 0 ? [] : [`Given ${statesText(one)}.`];
      const problems = one.problems.map((problem) => `${placeOf(problem)}: ${problem.message}`);
      return errorCommand(title, [...given, ...problems].join('\n'), spots.of(one));
    }),
    ...unfinished.map((why) => errorCommand(provider, why)),
  ];
}

/** Where interactions are in the files of their pacts. */
class PactSpots {
  readonly #files = new Map<string, { pact: unknown; lines: Lines } | undefined>();

  /** Undefined for a pact that is no file. */
  of({ source, description, states }: InteractionResult): Spot | undefined {
    if (/^https?:/.test(source)) return undefined;
    if (!this.#files.has(source)) this.#files.set(source, read(source));
    const { pact, lines } = this.#files.get(source) ?? {};
    const named = keysOfInteractions(pact).filter(({ one }) => one.description === description);
    // Several may have one description, in different states.
    const names = states.map(({ name }) => name).join();
    const found = named.find(({ one }) => stateNames(one) === names) ?? named[0];
    return { file: source, line: found && lines?.of([...found.keys, 'description']) };
  }
}

function read(file: string) {
  try {
    const text = readFileSync(file, 'utf8');
    return { pact: jsonOr(text, undefined), lines: new Lines(text) };
  } catch {
    // The verification has read it. Without it, the annotation has no line.
    return undefined;
  }
}

function keysOfInteractions(pact: unknown): { one: Record<string, unknown>; keys: [string, number] }[] {
  if (!isRecord(pact)) return [];
  return ['interactions', 'messages'].flatMap((list) => {
    const all: unknown[] = Array.isArray(pact[list]) ? pact[list] : [];
    return all.flatMap((one, at) => (isRecord(one) ? [{ one, keys: [list, at] as [string, number] }] : []));
  });
}

function stateNames({ providerStates, providerState, provider_state: old }: Record<string, unknown>): string {
  const states: unknown[] = Array.isArray(providerStates) ? providerStates : [{ name: providerState ?? old ?? '' }];
  return states.map((state) => (isRecord(state) ? String(state.name) : '')).join();
}

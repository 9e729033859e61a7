import { z } from 'zod';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { gaps } from '../../../spec/gaps/gaps.ts';
import { harmlessChanges } from '../../../spec/gaps/harmless.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { jsonOfFile } from '../json.ts';
import { nearestQuoted, parted, states as register } from '../states/register.ts';
import type { ProviderState } from '../states/state.ts';

/** The name of the file. It is beside pacts, but it is not a pact. */
export const besideName = 'passerelle.assumptions.json';

/** A gap on which the pacts of the folder depend on purpose. */
export interface Assumed {
  gap: string;
  reason: string;
  /** The last day on which the entry counts, YYYY-MM-DD (UTC). */
  expiry: string;
}

/** What the partner writes about the pacts of a folder, because pacts of versions 2 and 3 have no place for it. */
export interface Beside {
  path: string;
  assumptions: Assumed[];
  /** The partner's own words for states, and the states that they stand for. */
  states: Record<string, ProviderState[]>;
}

const stateNames = Object.values(register).flatMap((all) => all.map(({ name }) => name));
/** A suite may also depend on what is harmless, as `probe` finds out. */
const gapIds = [...gaps.map(({ id }) => id), ...Object.keys(harmlessChanges)];

/** A name of the list; the message of another one names the nearest. */
const oneOf = (what: string, known: () => readonly string[]) =>
  z.string().refine((name) => known().includes(name), {
    error: ({ input }) => `there is no ${what} "${input}". ${nearestQuoted(String(input), known())}`.trimEnd(),
  });

const state = z.strictObject({
  state: oneOf('provider state', () => stateNames),
  params: z.record(z.string(), z.unknown()).default({}),
});
const accepted = { reason: z.string().trim().min(1, 'it is empty'), expiry: z.iso.date() };
const shape = z.strictObject({
  assumptions: z.array(z.strictObject({ gap: oneOf('gap', () => gapIds), ...accepted })).default([]),
  states: z.record(z.string().min(1), z.union([state, z.array(state).min(1)])).default({}),
});

/** Every name that an object of the file may have. */
const fieldNames = ['assumptions', 'states', 'gap', 'reason', 'expiry', 'state', 'params'];

/** Returns everything that is wrong at a place, each with the place. */
function whatIsWrong(issue: z.core.$ZodIssue): string[] {
  // The value may be a state or a list of states. The branch that was meant has the more precise messages.
  const inside = issue.code === 'invalid_union' ? meantBranch(issue.errors) : [];
  if (inside.length > 0) return inside.flatMap((one) => whatIsWrong({ ...one, path: [...issue.path, ...one.path] }));
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  if (issue.code !== 'unrecognized_keys') return [`${where}${issue.message}`];
  return issue.keys.map((key) => `${where}there is no field "${key}". ${nearestQuoted(key, fieldNames)}`.trimEnd());
}

/** Returns the branch that matches the type of the value. The others fail already because of the type. */
const meantBranch = (branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] =>
  branches.find((issues) => issues.some(({ path, code }) => path.length > 0 || code !== 'invalid_type')) ?? branches[0] ?? [];

/** Reads the text of the file. Throws a `CouldNotRun` with everything that is wrong: the place, and the nearest known name. */
export function parseBeside(text: string, path: string): Beside {
  setZodMessages();
  const parsed = shape.safeParse(jsonOfFile(text, path));
  if (!parsed.success) {
    const wrong = parsed.error.issues.flatMap(whatIsWrong).map((one) => one.replace(/\.$/, ''));
    const said = wrong.join('; ').replace(/(?<!\?)$/, '.');
    throw new CouldNotRun(
      `${path}, ${said} Expected {"assumptions": [{"gap", "reason", "expiry": "YYYY-MM-DD"}], "states": {"your words": {"state", "params"}}}.`,
    );
  }
  const own = Object.entries(parsed.data.states).map(([words, named]): [string, ProviderState[]] => [
    words,
    [named].flat().map(({ state: name, params }) => ({ name, params })),
  ]);
  return { path, assumptions: parsed.data.assumptions, states: Object.fromEntries(own) };
}

/**
 * Replaces the partner's own words by the states that they stand for, also where a name joins them with other states, as pacts of
 * version 2 do. Parameters of the pact win.
 */
export function translated(states: readonly ProviderState[], { states: own }: Pick<Beside, 'states'>): ProviderState[] {
  const meaning = new Map(Object.entries(own).map(([words, meant]) => [comparable(words), meant]));
  return states.flatMap(({ name, params }) =>
    parted(name, (one) => meaning.has(comparable(one))).flatMap((part) => {
      const meant = meaning.get(comparable(part)) ?? [{ name: part, params: {} }];
      return meant.map((one) => ({ name: one.name, params: { ...one.params, ...params } }));
    }),
  );
}

const comparable = (words: string) => words.trim().toLowerCase();

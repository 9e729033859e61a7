import { z } from 'zod';
import { didYouMean } from '../../../gateway/base/nearest.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { cohesionStates } from './cohesion.ts';
import { posStates } from './pos.ts';
import type { ProviderState, State, World } from './state.ts';

/** All provider states (`contracts/tools/verification/STATES.md`). */
export const states: Record<ServiceName, readonly State[]> = { pos: posStates, cohesion: cohesionStates };

/** A provider state could not be set up. The message names the state and the reason. */
export class StateFailed extends Error {
  override name = 'StateFailed';
}

/**
 * Sets up a state and returns its values. A name may join several states: `an access token and a store`, because an interaction
 * of a version 2 pact has only one name. Throws `StateFailed`.
 */
export async function setUpState(provider: ServiceName, world: World, { name, params }: ProviderState) {
  const found = statesIn(provider, name);
  if (found.length > 1 && Object.keys(params).length > 0)
    throw new StateFailed(`The state "${name}" joins several states, so it takes no parameters: name each state on its own.`);
  const returned: Record<string, unknown> = {};
  for (const state of found) Object.assign(returned, await setUpOne(state, world, params));
  return returned;
}

async function setUpOne({ name, params: schema, setUp }: State, world: World, params: object) {
  const parsed = schema.safeParse(params);
  if (!parsed.success)
    throw new StateFailed(`The parameters of the state "${name}" are not valid: ${z.prettifyError(parsed.error)}.`);
  try {
    const returned = await setUp(world, parsed.data);
    Object.assign(world.values, returned);
    return returned;
  } catch (error) {
    throw new StateFailed(`The state "${name}" could not be set up: ${(error as Error).message}`, { cause: error });
  }
}

/** Separates the names of joined states. */
const joint = /\s*[;,]\s*(?:and\s+)?|\s+and\s+/gi;

/** A longer name is no list of states, and would take long to split. */
const longestJoined = 1000;

/**
 * Splits a name that joins several, such as `an access token and a store`. A name without a known part is not split, because it
 * is an ordinary sentence. A known name may itself contain a separator such as `and`.
 */
export function parted(name: string, isKnown: (one: string) => boolean): string[] {
  if (name.length > longestJoined) return [name];
  const parts: string[] = [];
  for (let rest = name.trim(); rest !== ''; ) {
    const ends = [...rest.matchAll(joint)].map(({ index, 0: { length } }) => ({ index, after: index + length }));
    ends.push({ index: rest.length, after: rest.length });
    const end = ends.findLast(({ index }) => isKnown(rest.slice(0, index))) ?? ends[0];
    parts.push(rest.slice(0, end?.index));
    rest = rest.slice(end?.after);
  }
  const named = parts.filter((part) => part !== '');
  return named.some(isKnown) ? named : [name];
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

const stateNamed = (provider: ServiceName, name: string) => states[provider].find((state) => same(state.name, name));

/** Returns the states that a name stands for; undefined for the unknown ones. */
const statesNamed = (provider: ServiceName, name: string): { name: string; state: State | undefined }[] =>
  parted(name, (one) => ownerOf(one) !== undefined).map((one) => ({ name: one, state: stateNamed(provider, one) }));

const ownerOf = (name: string) => serviceNames.find((service) => stateNamed(service, name));

/** Returns the states that a name stands for. Throws `StateFailed` with the nearest name of each unknown one. */
function statesIn(provider: ServiceName, name: string): State[] {
  const found = statesNamed(provider, name);
  const unknown = found.filter(({ state }) => !state).map((one) => unknownState(provider, one.name));
  if (unknown.length > 0) throw new StateFailed(`${unknown.join(' ')} passerelle states lists all.`);
  return found.flatMap(({ state }) => state ?? []);
}

/** Returns the state of the event that a message's description names, for messages without a state. */
export const stateOfEvent = (provider: ServiceName, description: string): string | undefined =>
  states[provider].find(({ event }) => event && description.includes(event))?.name;

function unknownState(provider: ServiceName, name: string): string {
  const owner = ownerOf(name);
  if (owner) return `"${name}" is a provider state of ${owner}, not of ${provider}.`;
  return `${provider} has no provider state "${name}". ${nearestState(name, [provider])}`.trimEnd();
}

/** Returns `Did you mean "a store"?` for the nearest state of these APIs; '' if none is near. */
export const nearestState = (name: string, of: readonly ServiceName[]): string =>
  nearestQuoted(
    name,
    of.flatMap((service) => states[service].map((one) => one.name)),
  );

export const nearestQuoted = (name: string, known: readonly string[]): string =>
  didYouMean(name, known, (one) => `"${one}"`).trimEnd();

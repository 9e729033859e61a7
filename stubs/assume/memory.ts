import type { Memory } from './types.ts';

/** Returns the map that is remembered under this name. */
export function mapIn<T>(memory: Memory, name: string): Map<string, T> {
  const known = memory.get(name) as Map<string, T> | undefined;
  const map = known ?? new Map<string, T>();
  memory.set(name, map);
  return map;
}

/** Returns the set that is remembered under this name. */
export function setIn(memory: Memory, name: string): Set<string> {
  const known = memory.get(name) as Set<string> | undefined;
  const set = known ?? new Set<string>();
  memory.set(name, set);
  return set;
}

/** The ids of the sales whose goods went back into stock. */
export const releasedSales = (memory: Memory): Set<string> => setIn(memory, 'released sales');

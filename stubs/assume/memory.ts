import type { Memory } from './types.ts';

/** Returns the map that is remembered under this name. */
export function mapIn<T>(memory: Memory, name: string): Map<string, T> {
  const known = memory.get(name) as Map<string, T> | undefined;
  const map = known ?? new Map<string, T>();
  memory.set(name, map);
  return map;
}

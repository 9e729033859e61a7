import type { Asked } from '../../contracts/tools/assumptions/alternative.ts';

/** Stands before the names of what variants have read for their replies. */
export const lookMark = 'seen: ';

/** Returns what the variant's `look` has read for this call; undefined if it has read nothing. */
export function seenBy(asked: Asked | undefined, assumed: string): unknown {
  const { found } = (asked?.states.find(({ name }) => name === lookMark + assumed)?.params ?? {}) as { found?: unknown };
  return found;
}

import type { ServiceName } from '../../spec/documents/services.ts';
import { entriesOf } from '../../stubs/assume/live.ts';

/** The alternatives of an API that a stub plays, as `GAP=ALTERNATIVE`. Those of harmless changes are the last. */
export const playable = (api: ServiceName): string[] =>
  entriesOf(api).flatMap(({ id: gap, alternatives }) =>
    alternatives.flatMap(({ id, notPlayed: reason }) => (reason === undefined ? `${gap}=${id}` : [])),
  );

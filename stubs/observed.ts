import { type Observed, parseObserved, readObserved } from '../contracts/tools/observed/file.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { contradictionIn, findAlternative, nameAlternative } from '../spec/gaps/gaps.ts';
import type { Assumed } from './types.ts';

/** How far a stub behaves as a service was seen to behave. */
export interface PlayedObserved {
  assumed: Assumed;
  /** What was seen and is not played, by the entry's id, with the reason in a sentence. */
  left: Readonly<Record<string, string>>;
}

/** Reads an `observed.json`, or takes its content. Throws `CouldNotRun` if it cannot be used for this API. */
export async function playedObserved(api: ServiceName, given: string | object): Promise<PlayedObserved> {
  const observed =
    typeof given === 'string' ? await readObserved(given, api) : parseObserved(JSON.stringify(given), 'observed', api);
  return playedOf(observed);
}

export function playedOf({ entries }: Pick<Observed, 'entries'>): PlayedObserved {
  const assumed: Record<string, string> = {};
  const left: Record<string, string> = {};
  for (const { gap, verdict, alternatives } of entries) {
    if (verdict === 'contradictory') left[gap] = 'The service was seen to do both, so the stub keeps our choice.';
    if (verdict !== 'refuted') continue;
    const [first = '', ...more] = alternatives;
    const reason =
      more.length > 0
        ? `The service chose each of ${alternatives.join(', ')}, and the stub plays one only: choose it with --assume.`
        : (findAlternative(nameAlternative(gap, first))?.notPlayed ?? contradicted(assumed, gap, first));
    if (reason === undefined) assumed[gap] = first;
    else left[gap] = reason;
  }
  return { assumed, left };
}

/** Why a stub cannot play an alternative beside those that it plays already. */
function contradicted(assumed: Assumed, gap: string, id: string): string | undefined {
  const active = Object.entries(assumed).map(([one, way]) => nameAlternative(one, way));
  const own = nameAlternative(gap, id);
  const found = contradictionIn([...active, own]);
  return found && `The stub cannot play ${own} beside ${found.one === own ? found.other : found.one}: ${found.because}`;
}

import type { ServiceName } from '../../../spec/documents/services.ts';
import { contradictionIn } from '../../../spec/gaps/gaps.ts';
import { assumedText } from '../../../stubs/assume/chosen.ts';
import { playedOf } from '../../../stubs/observed.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { type Observed, readObserved } from '../observed/file.ts';
import type { Base } from './runs.ts';
import type { Candidate } from './types.ts';

/** What is known of the services, by API. */
export type ObservedApis = Partial<Record<ServiceName, Observed>>;

/** Reads files of `passerelle observe`, one for an API. Throws `CouldNotRun`. */
export async function readObservedFiles(apis: readonly ServiceName[], paths: readonly string[]): Promise<ObservedApis> {
  const found: ObservedApis = {};
  for (const path of paths) {
    const [only, second] = apis;
    const observed = await readObserved(path, second === undefined ? only : undefined);
    if (!apis.includes(observed.api)) throw new CouldNotRun(`${path} is about ${observed.api}, and the probe is not.`);
    if (found[observed.api]) throw new CouldNotRun(`${path} is the second file about ${observed.api}. Give one for each API.`);
    found[observed.api] = observed;
  }
  return found;
}

/** The alternatives that a service was seen to have, and that its stub therefore plays in every run. */
export const baseOf = (observed: ObservedApis): Base =>
  Object.fromEntries(Object.values(observed).map((one) => [one.api, playedOf(one).assumed]));

/** True for an alternative that the service may still have, as far as anybody has seen. */
export function isOpen({ gap, alternative, api, id }: Candidate, observed: ObservedApis): boolean {
  const own = observed[api];
  const entry = own?.entries.find((one) => one.gap === gap);
  if (own === undefined) return true;
  const { assumed } = playedOf(own);
  const played = Object.entries(assumed).map(([one, way]) => assumedText(one, way));
  if (contradictionIn([...played, id])) return false;
  if (entry?.verdict === 'confirmed') return entry.open.includes(alternative);
  if (entry?.verdict === 'refuted') return assumed[gap] === undefined && entry.alternatives.includes(alternative);
  return true;
}

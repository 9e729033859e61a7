import { expect, onTestFinished } from 'vitest';
import type { ServiceName } from '../../../contracts/documents/services.ts';
import type { Observed } from '../../../contracts/tools/observed/file.ts';
import { openForwarding, openUpstream } from '../../../contracts/tools/observed/forward.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';

/** Observes a service while `use` makes calls to the address it gets. */
export async function observing(
  api: ServiceName,
  address: string,
  use: (url: string) => Promise<unknown>,
  before?: Observed,
): Promise<Observed> {
  const upstream = openUpstream(address);
  const observation = new Observation(api, upstream.origin, before);
  const refusals: string[] = [];
  const forwarding = await openForwarding({
    ...{ api, upstream, allowWrites: true },
    onCall: (call) => void observation.add(call, new Date('2026-11-23T12:00:00Z')),
    onRefusal: (reason) => void refusals.push(reason),
  });
  const close = async () => {
    await forwarding.close();
    await upstream.dispatcher.destroy();
  };
  onTestFinished(close);
  await use(forwarding.url);
  await close();
  expect(refusals).toEqual([]);
  return observation.observed;
}

/** What is not as the register chose: `pos.sale-status=200`, or the verdict if no single alternative is the service's. */
export const deviationsIn = ({ entries }: Observed): string[] =>
  entries.flatMap(({ gap, verdict, alternatives }) =>
    verdict === 'refuted' ? `${gap}=${alternatives.join('|') || '?'}` : verdict === 'contradictory' ? `${gap}!` : [],
  );

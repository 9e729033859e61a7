import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import type { Observed } from '../../../contracts/tools/observed/file.ts';
import { openForwarding } from '../../../contracts/tools/observed/forward.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { serviceAt } from '../../../contracts/tools/observed/upstream.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';

/** Observes a service while `use` makes calls to the address it gets. */
export async function observing(
  api: ServiceName,
  address: string,
  use: (url: string) => Promise<unknown>,
  before?: Observed,
): Promise<Observed> {
  const upstream = serviceAt(address);
  const observation = new Observation(api, upstream.origin, before);
  const refusals: string[] = [];
  const forwarding = await openForwarding({
    api,
    upstream,
    allowWrites: true,
    onCall: (exchange) => void observation.add(exchange),
    onRefusal: (reason) => void refusals.push(reason),
  });
  onTestFinished(forwarding.close);
  await use(forwarding.url);
  await forwarding.close();
  expect(refusals).toEqual([]);
  return observation.observed;
}

/** What is not as the register chose: `pos.sale-status=200`, or `pos.sale-status!` if no single way explains what was seen. */
export const deviationsIn = ({ entries }: Observed): string[] =>
  entries.flatMap(({ gap, verdict, alternatives }) =>
    verdict === 'refuted' ? `${gap}=${alternatives.join('|')}` : verdict === 'contradictory' ? `${gap}!` : [],
  );

/** True if a deviation such as `pos.sale-status=200|202` names the alternative. */
export function isAmong(assumed: string, deviation = ''): boolean {
  const [gap = '', ways = ''] = deviation.split('=');
  return ways.split('|').some((way) => assumed === `${gap}=${way}`);
}

/** Entries that are confirmed although the service has one of these alternatives, and nothing says that it is not excluded. */
export const falselyConfirmed = ({ entries }: Observed, assumed: readonly string[]): string[] =>
  entries.flatMap(({ gap, verdict, open }) => {
    const [, way] = assumed.find((one) => one.startsWith(`${gap}=`))?.split('=') ?? [];
    return verdict === 'confirmed' && way !== undefined && !open.includes(way) ? [`${gap}=${way} is confirmed`] : [];
  });

/** The choices of the other service that its README lists: `pos.sale-status=200`. */
export const listedOf = (api: ServiceName): string[] => {
  const readme = readFileSync(new URL('../../../examples/other-service/README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| `([a-z]+\.[a-z-]+)` \| `([a-z0-9-]+)` \|$/gm)];
  return rows.map(([, gap, way]) => `${gap}=${way}`).filter((one) => one.startsWith(`${api}.`));
};

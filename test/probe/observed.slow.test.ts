import { expect, test } from 'vitest';
import { emptyObserved } from '../../contracts/tools/observed/file.ts';
import { choice } from '../../contracts/tools/observed/finding.ts';
import { type ProbeRun, probe } from '../../index.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { fileWith } from '../program.ts';
import { sell } from './partner.ts';

/** Writes an `observed.json` in which each of these entries was seen to have its way. */
async function observedFile(api: ServiceName, ways: Record<string, string>): Promise<string> {
  const observed = emptyObserved(api);
  for (const entry of observed.entries) {
    const shows = ways[entry.gap];
    if (shows !== undefined) entry.evidence = [{ shows, because: 'A reply had it.', times: 1, calls: [] }];
  }
  return fileWith(JSON.stringify(observed));
}

/** A till that was made for a service that answers 200. It reads the sale from `data`. */
async function sellsWith200(context: ProbeRun): Promise<void> {
  const { status, body } = await sell(context);
  if (status !== 200) throw new Error(`answered ${status}`);
  if (body.data === undefined) throw new Error('no data');
}

const only = ['pos.sale-status', 'pos.error-body', 'pos.success-envelope'];

test('what was observed is played, and only what is open is asked about', async () => {
  const observed = await observedFile('pos', { 'pos.sale-status': '200', 'pos.error-body': choice });
  await expect(probe({ apis: 'pos', only, assumptions: false, run: sellsWith200 })).rejects.toThrow(/first run .* failed/);
  const result = await probe({ apis: 'pos', only, observed, assumptions: false, run: sellsWith200 });
  const asked = [...result.exercised, ...result.notExercised];
  expect([...new Set(asked.map(({ gap }) => gap))]).toEqual(['pos.success-envelope']);
  expect(result.dependencies.map(({ alternatives }) => alternatives.map(({ id }) => id))).toEqual([
    ['pos.success-envelope=bare'],
    ['pos.success-envelope=beside-success'],
  ]);
  // The sale itself succeeds, with the status that was observed.
  expect(result.dependencies.map(({ lastLines }) => lastLines)).toEqual([['Error: no data'], ['Error: no data']]);
});

test('an alternative that contradicts what was observed is not asked about', async () => {
  const observed = await observedFile('pos', { 'pos.sale-status': '200', 'pos.success-envelope': 'beside-success' });
  const named = ['pos.inventory-response', 'pos.sale-status'];
  const run = async ({ urls }: ProbeRun) => void (await fetch(`${urls.pos}/api/v1/inventory`));
  const { exercised, notExercised } = await probe({ apis: 'pos', observed, assumptions: false, only: named, run });
  expect([...exercised, ...notExercised].map(({ id }) => id).sort()).toEqual([
    'pos.inventory-response=other-names',
    'pos.inventory-response=pages',
  ]);
});

test('files that say nothing about the probe are refused', async () => {
  const pos = await observedFile('pos', { 'pos.sale-status': choice });
  const cohesion = await observedFile('cohesion', {});
  const probed = (observed: string[]) =>
    probe({ apis: 'pos', only: ['pos.sale-status'], observed, assumptions: false, run: sellsWith200 });
  await expect(probed([pos])).rejects.toThrow('There is nothing to ask: what was observed settles pos.sale-status.');
  await expect(probed([cohesion])).rejects.toThrow(/is about cohesion, not about pos/);
  await expect(probed([pos, pos])).rejects.toThrow(/second file about pos/);
  await expect(probed(['/nowhere.json'])).rejects.toThrow(/no file \/nowhere.json/);
});

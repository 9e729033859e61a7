import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../gateway/start/config.ts';
import { cutOnce } from './cut.ts';
import { Disk, type DoesSync } from './disk.ts';
import { type Entry, readRecording } from './recording.ts';
import { recordSession } from './session.ts';

async function entriesOf(durability: Settings['DURABILITY']): Promise<Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-power-cuts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return readRecording(await recordSession({ folder, durability, sales: 24, atEnd: onTestFinished }));
}

/** Returns what the first cut that shows something shows. */
async function firstLoss(disk: Disk, cuts: number): Promise<string | undefined> {
  for (let seed = 1; seed <= cuts; seed++) {
    const { wrong } = await cutOnce(disk, seed);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Disks that leave out some of the syncs that the gateway asks for. */
const careless: Record<string, DoesSync> = {
  'the log': (path) => !path.includes('/pg_wal/'),
  names: (_path, isFolder) => !isFolder,
  tables: (path) => !path.includes('/base/'),
  'where the log begins': (path) => !path.endsWith('/pg_control'),
};

// `npm run power-cuts` shows that none is lost with all of them.
test('with any kind of sync left out, a power cut loses acknowledged sales', async () => {
  const entries = await entriesOf('disk');
  for (const [what, doesSync] of Object.entries(careless))
    expect(await firstLoss(new Disk(entries, doesSync), 30), what).not.toBe(undefined);
});

test('with DURABILITY=process a power cut loses acknowledged sales', async () => {
  expect(await firstLoss(new Disk(await entriesOf('process')), 30)).not.toBe(undefined);
});

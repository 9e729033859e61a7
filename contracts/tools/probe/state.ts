import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonOr } from '../../../spec/json.ts';
import type { Outcome } from './types.ts';

const shape = z.object({
  seed: z.string(),
  startedAt: z.iso.datetime(),
  /** A hash of the names of the tests. */
  tests: z.string().optional(),
  runs: z.record(
    z.string(),
    z.custom<Outcome>((value) => typeof value === 'object' && value !== null && 'passed' in value),
  ),
});

/** Outcomes are taken up for a day. Later the tests are probably others. */
const keptMs = 24 * 3600 * 1000;

/** Opens the file with the runs of a probe that was stopped, so that the same probe goes on. `key`: all on which outcomes depend. */
export function openState(key: unknown, seed: string, { fresh, folder = cacheFolder() }: { fresh: boolean; folder?: string }) {
  const path = join(folder, `${hash('sha256', JSON.stringify(key)).slice(0, 32)}.json`);
  const text = !fresh && existsSync(path) ? readFileSync(path, 'utf8') : '';
  const { data } = shape.safeParse(jsonOr(text, undefined));
  const before = data && Date.now() - Date.parse(data.startedAt) < keptMs ? data : undefined;
  const state: z.infer<typeof shape> = before ?? { seed, startedAt: new Date().toISOString(), runs: {} };
  return {
    seed: state.seed,
    /** When the probe that is continued was begun. */
    resumedFrom: before?.startedAt,
    size: Object.keys(state.runs).length,
    get: (run: string): Outcome | undefined => state.runs[run],
    /** If the file cannot be written, the probe continues, but cannot be resumed later. */
    set(run: string, outcome: Outcome): void {
      state.runs[run] = outcome;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const next = `${path}.${process.pid}`;
        writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
        renameSync(next, path);
      } catch {
        // See above.
      }
    },
    forgetOthers(tests: readonly string[]): boolean {
      const own = hash('sha256', [...tests].sort().join('\n'));
      const areOthers = state.tests !== undefined && state.tests !== own;
      Object.assign(state, { tests: own, ...(areOthers && { runs: {} }) });
      return areOthers;
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** Larger files are programs. */
const largestBytes = 4 * 1024 * 1024;

/** A hash of the file that a word of a command names; its tests may have changed since the last probe. Undefined for other words. */
export function contentOf(word: string): string | undefined {
  const found = statSync(word, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= largestBytes ? hash('sha256', readFileSync(word)) : undefined;
}

const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'passerelle', 'probe');

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { jsonOr } from '../contracts/tools/json.ts';
import type { KnownRuns } from './probe.ts';
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

/**
 * The runs of a probe that was stopped, so that the next one with the same command, files in it, options, tests and version goes on. Plain
 * runs are always made again. The file is deleted when a probe ends.
 */
export class StateFile implements KnownRuns {
  readonly path: string;
  readonly seed: string;
  /** When the probe began that is gone on with. */
  readonly resumedFrom: string | undefined;
  readonly #startedAt: string;
  #runs: Record<string, Outcome>;
  #tests: string | undefined;

  private constructor(path: string, seed: string, before: z.infer<typeof shape> | undefined) {
    this.path = path;
    this.seed = before?.seed ?? seed;
    this.resumedFrom = before?.startedAt;
    this.#startedAt = before?.startedAt ?? new Date().toISOString();
    this.#runs = { ...before?.runs };
    this.#tests = before?.tests;
  }

  /** `key`: everything on which outcomes depend. */
  static open(key: unknown, seed: string, { fresh, folder = cacheFolder() }: { fresh: boolean; folder?: string }): StateFile {
    const path = join(folder, `${hash('sha256', JSON.stringify(key)).slice(0, 32)}.json`);
    const text = !fresh && existsSync(path) ? readFileSync(path, 'utf8') : '';
    const { data } = shape.safeParse(jsonOr(text, undefined));
    const isCurrent = data && Date.now() - Date.parse(data.startedAt) < keptMs;
    return new StateFile(path, seed, isCurrent ? data : undefined);
  }

  get size(): number {
    return Object.keys(this.#runs).length;
  }

  get(key: string): Outcome | undefined {
    return Object.hasOwn(this.#runs, key) ? this.#runs[key] : undefined;
  }

  forgetOthers(tests: readonly string[]): boolean {
    const before = this.#tests;
    this.#tests = hash('sha256', [...tests].sort().join('\n'));
    const areOthers = before !== undefined && before !== this.#tests;
    if (areOthers) this.#runs = {};
    return areOthers;
  }

  /** A file that cannot be written costs the resumption, not the probe. */
  set(key: string, outcome: Outcome): void {
    this.#runs[key] = outcome;
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      const next = `${this.path}.${process.pid}`;
      writeFileSync(next, JSON.stringify({ seed: this.seed, startedAt: this.#startedAt, tests: this.#tests, runs: this.#runs }), {
        mode: 0o600,
      });
      renameSync(next, this.path);
    } catch {
      // See above.
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** Larger files are programs. */
const largestBytes = 4 * 1024 * 1024;

/** A hash of the file that a word of a command names; its tests may have changed since the last probe. Undefined for other words. */
export function contentOf(word: string): string | undefined {
  const found = statSync(word, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= largestBytes ? hash('sha256', readFileSync(word)) : undefined;
}

const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'passerelle', 'probe');

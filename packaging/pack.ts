/**
 * `npm pack` at the root: npm packs what package.json says at that moment, and knows no other place for it. So the published
 * manifest stands there from `prepack` (begin) to `postpack` (end), and a guard puts ours back if npm ends in between,
 * however it ends. See docs/decisions/017.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, renameSync } from 'node:fs';

const manifest = 'package.json';
const kept = '.package.json.kept';
const next = '.package.json.next';
const published = 'dist/package.json';
const watchEveryMs = 50;

const steps: Readonly<Record<string, () => void>> = {
  begin() {
    if (existsSync(kept)) throw new Error(`npm pack runs here already: ${kept} is our package.json, until it ends.`);
    if (!existsSync(published)) throw new Error('There is nothing to pack yet. Run: npm run build && npm pack');
    copyFileSync(manifest, kept);
    // The scripts begin with `exec`, so that the parent is npm and no shell.
    const guard = spawn(process.execPath, [import.meta.filename, 'guard', String(process.ppid)], {
      detached: true,
      stdio: 'ignore',
    });
    guard.unref();
    copyFileSync(published, next);
    renameSync(next, manifest);
  },
  guard() {
    const npm = Number(process.argv[3]);
    const watch = setInterval(() => {
      if (runs(npm) && existsSync(kept)) return;
      clearInterval(watch);
      restore();
    }, watchEveryMs);
  },
  end: restore,
};

/** Ours again, in one step: no reader ever meets half a manifest. */
function restore(): void {
  if (existsSync(kept)) renameSync(kept, manifest);
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

try {
  steps[process.argv[2] ?? '']?.();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

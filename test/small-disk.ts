import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Only root can mount a file system. */
const canMount = process.getuid?.() === 0;

export interface SmallDisk {
  folder: string;
  /** Takes all free space. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
}

/** Mounts a file system of this size until the test ends; undefined if that is not allowed here. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  if (!canMount) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-disk-'));
  const { status, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (error || status !== 0) return undefined;
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  const filler = join(folder, 'filler');
  const fill = () => {
    try {
      writeFileSync(filler, Buffer.alloc(megabytes * 1024 * 1024));
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'ENOSPC') throw failure;
    }
  };
  return { folder, fill, free: () => rmSync(filler) };
}

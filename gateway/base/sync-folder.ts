import fs from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Waits until the names in a folder are on the disk: which files it has, and what they are called. */
export function syncNames(folder: string): void {
  // Windows cannot open a folder. NTFS keeps names in its journal.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** As many as Node's threads for files. Each has a file open. */
const lanes = 4;

/** Waits until a folder is on the disk, with all that is in it. */
export async function syncFolder(folder: string): Promise<void> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).values();
  const syncRest = async () => {
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) syncNames(path);
      else await syncFile(path);
    }
  };
  await Promise.all(Array.from({ length: lanes }, syncRest));
  syncNames(folder);
  syncNames(dirname(folder));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.datasync().finally(() => file.close());
}

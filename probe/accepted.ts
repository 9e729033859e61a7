import { readFile } from 'node:fs/promises';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { besideName, parseBeside } from '../contracts/tools/verification/beside.ts';
import { textOf } from '../contracts/tools/verification/sources.ts';
import type { Acceptance } from './types.ts';

/** Reads accepted dependencies from the file that `assumptions` reads too. Without `path`: from the current folder, if it is there. */
export async function readAcceptances(path: string | undefined): Promise<Acceptance[]> {
  const file = path ?? besideName;
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (path === undefined && error.code === 'ENOENT') return undefined;
    throw new CouldNotRun(`${file} could not be read: ${error.message}.`);
  });
  return bytes === undefined ? [] : parseBeside(textOf(bytes), file).assumptions;
}

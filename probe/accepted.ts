import { besideName } from '../contracts/tools/verification/beside.ts';
import { readBeside } from '../contracts/tools/verification/sources.ts';
import type { Acceptance } from './types.ts';

/** Reads accepted dependencies from the file that `assumptions` reads too. Without `path`: from the current folder, if it is there. */
export const readAcceptances = async (path: string | undefined): Promise<Acceptance[]> =>
  (await readBeside(path ?? besideName, path !== undefined))?.assumptions ?? [];

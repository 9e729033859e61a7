import { CouldNotRun } from './could-not-run.ts';

/**
 * Returns what the text of a user's file says as JSON. Editors on Windows put a mark (BOM) before it.
 * Throws `CouldNotRun`, which names the file.
 */
export function jsonOfFile(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CouldNotRun(`${path} is not valid JSON: ${(error as Error).message}`);
  }
}

/** Replies of services have a dozen levels. */
const mostLevels = 100;
export const tooDeep = `nested more than ${mostLevels} levels deep`;

/** True if objects and lists stand in each other more than so many levels deep. Code that calls itself for each level would fail. */
export function isTooDeep(value: unknown): boolean {
  let level = containersIn([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= mostLevels) return true;
    level = level.flatMap((one) => containersIn(Object.values(one)));
  }
  return false;
}

const containersIn = (values: unknown[]) => values.filter((one) => typeof one === 'object' && one !== null);

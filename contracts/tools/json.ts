import { CouldNotRun } from './could-not-run.ts';

export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it is a record, otherwise an empty record. */
export const fieldsOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** Returns what the text says as JSON, or `otherwise` if it is not JSON. */
export function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

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

/** True if objects and lists stand in each other more than so many levels deep. Code that calls itself for each level would fail. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level = containersIn([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    level = level.flatMap((one) => containersIn(Object.values(one)));
  }
  return false;
}

const containersIn = (values: unknown[]) => values.filter((one) => typeof one === 'object' && one !== null);

/** A reply with a parsed body: JSON, or text, or undefined if there is none. Header names are in lower case. */
export interface JsonReply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

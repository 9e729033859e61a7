import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { setZodMessages } from '../../gateway/http/messages.ts';

/** Ids given by a fixture, or assigned by position. */
export const serial = () =>
  z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional();

/** Reads fixtures from an object or a JSON file. Throws a `CouldNotRun` that names each wrong field. */
export function readFixtures<S extends z.ZodType>(shape: S, given: unknown): z.output<S> {
  const { value, name } = typeof given === 'string' ? { value: readJson(given), name: given } : { value: given, name: 'seed' };
  setZodMessages();
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.slice(0, 10).map(lineOf);
  const more = parsed.error.issues.length - lines.length;
  throw new CouldNotRun(`${name} cannot be used:\n${[...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')}`);
}

function lineOf(issue: z.core.$ZodIssue): string {
  const at = issue.path.join('.') || 'the fixtures';
  if (issue.code === 'unrecognized_keys') return `  ${at}: ${issue.keys.join(', ')} is not a known field`;
  return `  ${at}: ${issue.message}`;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CouldNotRun(`The fixtures file ${file} cannot be read: ${(error as Error).message}.`);
  }
}

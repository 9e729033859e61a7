import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';
import { setZodMessages } from '../../gateway/http/messages.ts';

/** Ids given by a fixture, or assigned by position. */
export const serial = () =>
  z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional();

/** A check of a list: no two rows have the same value in one of the fields. */
export const once =
  (...fields: readonly string[]) =>
  (rows: readonly object[], context: z.RefinementCtx): void => {
    for (const field of fields) {
      const seen = new Set<unknown>();
      for (const [at, row] of rows.entries()) {
        const value = (row as Record<string, unknown>)[field];
        if (value !== undefined && seen.has(value))
          context.addIssue({ code: 'custom', path: [at, field], message: `${JSON.stringify(value)} is used twice` });
        seen.add(value);
      }
    }
  };

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
    // Editors on Windows begin a file with a byte order mark, which is not JSON.
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new CouldNotRun(`The fixtures file ${file} cannot be read: ${why}. ${didYouMean(file, ['demo', 'empty'])}`.trimEnd());
  }
}

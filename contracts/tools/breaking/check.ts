/**
 * Compares the OpenAPI documents with the released ones (contracts/openapi/released). Exits with 1 if a change breaks a
 * consumer, and with 2 if the check could not run. With --release, the current documents become the released ones.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { apiNames } from '../../documents/services.ts';
import { type OpenApi, resolved } from '../../openapi/document.ts';
import { count, plain, shorten } from '../verification/reports/plain.ts';
import { findBreaking } from './documents.ts';
import { type Change, rules } from './rules.ts';

export interface Checked {
  name: string;
  changes: Change[];
}

/** The folders `openapi/released` and `openapi`, each with a trailing slash. */
export interface Folders {
  released: URL;
  current: URL;
}

const read = (folder: URL, name: string) =>
  resolved(JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as OpenApi);

/** Returns the breaking changes of each document since its release. */
export function checkDocuments({ released, current }: Folders): Checked[] {
  return apiNames.map((name) => ({ name, changes: findBreaking(read(released, name), read(current, name)) }));
}

function changeLines({ rule, place, before, after }: Change): string[] {
  const { what, why } = rules[rule];
  const values = [
    before === undefined ? [] : [`    before: ${before}`],
    after === undefined ? [] : [`    after:  ${after}`],
  ].flat();
  return [`  ${place}`, `    ${what} ${why} (${rule})`, ...values.map((line) => shorten(line, 300))].map(plain);
}

/** Formats the breaking changes, with their places and what to do. */
export function breakingText(checked: readonly Checked[]): string {
  const broken = checked.filter(({ changes }) => changes.length > 0);
  const total = checked.reduce((sum, { changes }) => sum + changes.length, 0);
  if (total === 0) return `Nothing in ${checked.map(({ name }) => name).join(', ')} breaks a consumer of the last release.\n`;
  return [
    ...broken.flatMap(({ name, changes }) => [
      `${name}: ${count(changes.length, 'breaking change')}`,
      ...changes.flatMap(changeLines),
      '',
    ]),
    'Undo the change, or add something new instead: v1 must stay compatible. Before a release that breaks on purpose:',
    'node contracts/tools/breaking/check.ts --release',
    '',
  ].join('\n');
}

function release({ released, current }: Folders): void {
  for (const name of apiNames) copyFileSync(new URL(`${name}.json`, current), new URL(`${name}.json`, released));
}

/** Runs the check. Returns its exit code and output. */
export function run(args: readonly string[], folders: Folders): { code: 0 | 1 | 2; text: string } {
  try {
    const { values } = parseArgs({ args: [...args], options: { release: { type: 'boolean', default: false } } });
    if (values.release) {
      release(folders);
      return { code: 0, text: `Released: ${apiNames.join(', ')}. Commit contracts/openapi/released.\n` };
    }
    const checked = checkDocuments(folders);
    return { code: checked.some(({ changes }) => changes.length > 0) ? 1 : 0, text: breakingText(checked) };
  } catch (error) {
    return { code: 2, text: `Could not compare: ${plain((error as Error).message)}\n` };
  }
}

if (import.meta.main) {
  const current = new URL('../../openapi/', import.meta.url);
  const { code, text } = run(process.argv.slice(2), { current, released: new URL('released/', current) });
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = code;
}

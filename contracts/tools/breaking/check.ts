/**
 * Compares the OpenAPI documents with the released ones (contracts/openapi/released) as `passerelle breaking --fail-on risky` does. Exits
 * with 1 if a consumer may notice a change, and with 2 if the check could not run. With --release, the current documents become the
 * released ones.
 */
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { apiNames } from '../../documents/services.ts';
import { plain } from '../reports/plain.ts';
import { textReport } from '../reports/text.ts';
import { today } from '../today.ts';
import { compareDocuments } from './compare.ts';
import { readDocument } from './read.ts';
import { breakingReport, type Compared, isFailed } from './report.ts';

/** The folders `openapi/released` and `openapi`, each with a trailing slash. */
export interface Folders {
  released: URL;
  current: URL;
}

const deadlineMs = 30_000;
const read = (folder: URL, name: string) => readDocument(fileURLToPath(new URL(`${name}.json`, folder)), deadlineMs);

/** Returns the changes of each document since its release that a consumer may notice. */
export async function checkDocuments({ released, current }: Folders): Promise<Compared[]> {
  const compared = apiNames.map(async (name) => {
    const found = compareDocuments(await read(released, name), await read(current, name), { failOn: 'risky', today: today() });
    return {
      ...found,
      old: 'the last release',
      new: name,
      changes: found.changes.filter(({ severity }) => severity !== 'harmless'),
    };
  });
  return Promise.all(compared);
}

function release({ released, current }: Folders): void {
  for (const name of apiNames) copyFileSync(new URL(`${name}.json`, current), new URL(`${name}.json`, released));
}

function textOf(checked: readonly Compared[]): string {
  const broken = checked.filter(isFailed);
  if (broken.length === 0)
    return `Nothing in ${checked.map((one) => one.new).join(', ')} breaks a consumer of the last release.\n`;
  return [
    ...broken.map((one) => textReport(breakingReport(one), { width: 150, colors: false })),
    'Undo the change, or add something new instead: v1 must stay compatible. Before a release that breaks on purpose:',
    'node contracts/tools/breaking/check.ts --release',
    '',
  ].join('\n');
}

/** Runs the check. Returns its exit code and output. */
export async function run(args: readonly string[], folders: Folders): Promise<{ code: 0 | 1 | 2; text: string }> {
  try {
    const { values } = parseArgs({ args: [...args], options: { release: { type: 'boolean', default: false } } });
    if (values.release) {
      release(folders);
      return { code: 0, text: `Released: ${apiNames.join(', ')}. Commit contracts/openapi/released.\n` };
    }
    const checked = await checkDocuments(folders);
    return { code: checked.some(isFailed) ? 1 : 0, text: textOf(checked) };
  } catch (error) {
    return { code: 2, text: `Could not compare: ${plain((error as Error).message)}\n` };
  }
}

if (import.meta.main) {
  const current = new URL('../../openapi/', import.meta.url);
  const { code, text } = await run(process.argv.slice(2), { current, released: new URL('released/', current) });
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = code;
}

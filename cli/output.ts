import { stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { writeReport } from './command.ts';

/** The forms of a report, by the end of the file's name. */
const forms = { json: 'JSON', xml: 'JUnit XML', md: 'Markdown' } as const;

export type Form = keyof typeof forms;

export type Reports<F extends Form = Form> = Readonly<Record<F, () => string | Promise<string>>>;

/** `--output FILE` of a command whose reports have these forms. It may be repeated. */
export function outputOption(known: readonly Form[]): Option {
  const list = known.map((form) => `.${form} (${forms[form]})`).join(', ');
  const ends = known.includes('md')
    ? `${list}, or has no extension, such as $GITHUB_STEP_SUMMARY: Markdown is appended to it`
    : list;
  return new Option('--output <file>', `write the report to this file, which ends in ${ends}; may be repeated`)
    .default([], 'none')
    .argParser((file: string, before: string[]) => {
      if (/^-?$/.test(file)) throw new InvalidArgumentError('It must be the name of a file. --json prints to standard output.');
      if (formOf(file, known) === undefined) throw new InvalidArgumentError(`Name a file that ends in ${ends}.`);
      return [...before, file];
    });
}

function formOf(file: string, known: readonly Form[]): Form | undefined {
  const end = extname(file).slice(1).toLowerCase();
  return known.find((form) => form === (end === '' ? 'md' : end));
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/** Throws `CouldNotRun` if a file could not be written. It is called before the work, so that no report is lost. */
export async function checkOutputs(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (await isFolder(file)) throw new CouldNotRun(`--output: ${file} is a folder. Name a file.`);
    if (!(await isFolder(dirname(resolve(file))))) throw new CouldNotRun(`--output: there is no folder ${dirname(file)}.`);
  }
}

export async function writeOutputs(files: readonly string[], reports: Partial<Reports>): Promise<void> {
  for (const file of files) {
    const make = reports[formOf(file, Object.keys(reports) as Form[]) as Form];
    if (make) await writeReport(file, await make(), extname(file) === '' ? 'a' : 'w');
  }
}

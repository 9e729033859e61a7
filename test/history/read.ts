import { createReadStream } from 'node:fs';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { type Checked, HistoryCheck } from './check.ts';
import { lineOf } from './line.ts';

/** Checks the history in a file. Throws `CouldNotRun`, which names the line. */
export async function checkHistory(path: string, skewMs: number): Promise<Checked> {
  const check = new HistoryCheck(skewMs);
  let number = 0;
  for await (const { text, isWhole } of linesOf(path)) {
    number += 1;
    if (text.trim() !== '') located(path, number, () => check.add(lineOf(parsed(text, isWhole)), number));
  }
  if (number === 0) throw new CouldNotRun(`${path} is empty. Did its writer run, and close it?`);
  return located(path, undefined, () => check.result());
}

/** `isWhole`: a line break follows. Throws `CouldNotRun` if the file cannot be read. */
async function* linesOf(path: string): AsyncGenerator<{ text: string; isWhole: boolean }> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) yield { text, isWhole: true };
    }
  } catch (error) {
    throw new CouldNotRun(`${path} cannot be read: ${(error as Error).message}.`);
  }
  if (rest !== '') yield { text: rest, isWhole: false };
}

/** Adds the place to what `work` throws. */
function located<R>(path: string, number: number | undefined, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    throw new CouldNotRun(`${number === undefined ? '' : `Line ${number} of `}${path}: ${error.message}`);
  }
}

function parsed(text: string, isWhole: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isWhole) throw new CouldNotRun(`It is not JSON: ${(error as Error).message}. Each line must be one JSON object.`);
    throw new CouldNotRun('It is the last one, and it is cut: was its writer stopped? Remove it, or write the rest of it.');
  }
}

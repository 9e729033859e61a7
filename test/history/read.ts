import { nameOfInput, textLines } from '../../cli/text-lines.ts';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { type Checked, HistoryCheck } from './check.ts';
import { lineOf } from './line.ts';

/** Checks the history in a file, or in standard input if it is named `-`. Throws `CouldNotRun`, which names the line. */
export async function checkHistory(path: string, skewMs: number): Promise<Checked> {
  const name = nameOfInput(path);
  const check = new HistoryCheck(skewMs);
  let number = 0;
  for await (const { text, isWhole } of textLines(path)) {
    number += 1;
    if (text.trim() !== '') located(name, number, () => check.add(lineOf(parsed(text, isWhole)), number));
  }
  if (number === 0) throw new CouldNotRun(`${name} is empty. Did its writer run, and close it?`);
  return located(name, undefined, () => check.result());
}

/** Adds the place to what `work` throws. */
function located<R>(name: string, number: number | undefined, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    throw new CouldNotRun(`${number === undefined ? '' : `Line ${number} of `}${name}: ${error.message}`);
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

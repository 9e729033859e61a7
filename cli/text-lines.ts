import { createReadStream } from 'node:fs';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** How messages name a file, or standard input. */
export const nameOfInput = (path: string) => (path === '-' ? 'standard input' : path);

/**
 * The lines of a file, or of standard input if it is named `-`. `isWhole`: a line break follows. Throws `CouldNotRun` if it cannot be
 * read.
 */
export async function* textLines(path: string): AsyncGenerator<{ text: string; isWhole: boolean }> {
  const input: AsyncIterable<string> = (path === '-' ? process.stdin : createReadStream(path)).setEncoding('utf8');
  let rest = '';
  let isFirst = true;
  try {
    for await (const chunk of input) {
      const lines = (rest + (isFirst ? chunk.replace(/^\uFEFF/, '') : chunk)).split('\n');
      isFirst = false;
      rest = lines.pop() ?? '';
      for (const text of lines) yield { text, isWhole: true };
    }
  } catch (error) {
    throw new CouldNotRun(`${nameOfInput(path)} cannot be read: ${(error as Error).message}.`);
  }
  if (rest !== '') yield { text: rest, isWhole: false };
}

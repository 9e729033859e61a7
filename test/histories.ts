import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a history for `passerelle check-history` to the folder, if one is given. Returns its text. */
export function writeHistory(folder: string | undefined, name: string, lines: readonly object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  if (folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.jsonl`), text);
  }
  return text;
}

import { type TableName, tables } from '../tables/index.ts';

/** A pool that accepts rows in COPY's text format. */
export interface CopyPool {
  copyIn(table: string, columns: readonly string[], rows: Uint8Array<ArrayBuffer>): Promise<void>;
}

export const isCopyPool = (pool: object): pool is CopyPool => 'copyIn' in pool;

const encoder = new TextEncoder();
const special = /[\\\n\r\t]/;
const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Formats rows for COPY: one line per row, tabs between columns, `\N` for null. */
export function copyText(
  name: TableName,
  columns: readonly string[],
  rows: readonly Record<string, unknown>[],
): Uint8Array<ArrayBuffer> {
  const kinds = columns.map((column) => (tables[name].columns as Record<string, { kind: string }>)[column]?.kind);
  let text = '';
  for (const row of rows) {
    for (let index = 0; index < columns.length; index++) {
      const value = row[columns[index] as string];
      text += index === 0 ? '' : '\t';
      text += value === null || value === undefined ? '\\N' : escaped(kinds[index] === 'json' ? JSON.stringify(value) : value);
    }
    text += '\n';
  }
  return encoder.encode(text);
}

function escaped(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return special.test(value) ? value.replace(/[\\\n\r\t]/g, (character) => escapes[character] as string) : value;
}

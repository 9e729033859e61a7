/** One column of a table: its name, and its value in a row. Objects are written as JSON. */
export type Column<R> = readonly [name: string, value: (row: R) => unknown];

/** The text of a table in CSV (RFC 4180) with a header line, in chunks, one per block of rows. */
export async function* csvText<R>(columns: readonly Column<R>[], blocks: AsyncIterable<readonly R[]>): AsyncGenerator<string> {
  yield lineOf(columns.map(([name]) => name));
  for await (const rows of blocks) {
    if (rows.length > 0) yield rows.map((row) => lineOf(columns.map(([, value]) => value(row)))).join('');
  }
}

const lineOf = (values: readonly unknown[]) => `${values.map(cellOf).join(',')}\r\n`;

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, which can send other cells to a stranger. It ignores
 * blanks before them. The last four are the full-width forms.
 */
const formula = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** A cell, quoted if it must be. Text that a spreadsheet would run gets an apostrophe in front, which shows it as text. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

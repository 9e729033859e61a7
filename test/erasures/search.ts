import type { Store } from '../../gateway/store/port.ts';
import { type TableName, tables } from '../../gateway/store/tables/index.ts';

/** True if a text has these digits one after another, whatever stands between them. It knows nothing of how the gateway searches. */
export function contains(text: string, digits: string): boolean {
  const plain = text
    .replace(/\\+u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_all, long, short) => String.fromCharCode(Number.parseInt(long ?? short, 16)))
    .replace(/[^\da-z"{}[\],:]/gi, '');
  return plain.includes(digits);
}

/** Returns the table and the row of every row that contains the digits. */
export async function rowsWith(store: Store, digits: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of Object.keys(tables) as TableName[])
    for (const row of await store.list(name)) {
      const text = JSON.stringify(row);
      if (contains(text, digits)) found.push(`${name}: ${text}`);
    }
  return found;
}

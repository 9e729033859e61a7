/** Writes `pos.json` and `cohesion.json`: the replies of the reference implementation to every cause. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '../../spec/documents/services.ts';
import { replies, written } from './reference.ts';

for (const api of serviceNames) {
  const text = `${JSON.stringify(written(await replies(api)), null, 2)}\n`;
  writeFileSync(join(import.meta.dirname, `${api}.json`), text);
}

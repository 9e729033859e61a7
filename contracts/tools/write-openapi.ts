/**
 * Writes the OpenAPI documents, which the gateway serves at /docs/NAME.json, to spec/openapi. With --check it only
 * compares them, and exits with 1 if a committed document is out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { openLog } from '../../gateway/base/log.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { readSettings } from '../../gateway/start/config.ts';
import { openMemory } from '../../gateway/start/memory.ts';
import { apiNames } from '../../spec/documents/services.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const folder = join(import.meta.dirname, '../../spec/openapi');
const log = openLog('error');
const gateway = await startGateway({
  ...openMemory(systemClock, log),
  settings: readSettings({}),
  operatorToken: 'not used: no call is made',
  keys: new Keyring(Buffer.alloc(32)),
  clock: systemClock,
  log,
});
mkdirSync(folder, { recursive: true });

const outdated: string[] = [];
for (const name of apiNames) {
  const reply = await gateway.app.inject(`/docs/${name}.json`);
  // Removes the address of this server, because nobody else can reach it.
  const servers = reply.json().servers.map(({ url }: { url: string }) => ({ url: new URL(url).pathname }));
  const text = `${JSON.stringify({ ...reply.json(), servers }, null, 2)}\n`;
  const file = join(folder, `${name}.json`);
  if (!values.check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) outdated.push(file);
}
await gateway.close();

if (outdated.length > 0) {
  process.stderr.write(`out of date: ${outdated.join(', ')}. Run npm run openapi and commit what it wrote.\n`);
  process.exitCode = 1;
}

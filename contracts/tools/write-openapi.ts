/**
 * Writes the OpenAPI documents, which the gateway serves at /docs/NAME.json, to spec/openapi, and to spec/types the filters of
 * the console's lists. Those of the two APIs are committed: `--check` compares them, and exits with 1 if one is out of date.
 * `--if-changed` writes what is not committed, if the sources have changed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../gateway/base/clock.ts';
import { hashFiles, isStamped } from '../../gateway/base/hash-files.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { openLog } from '../../gateway/base/log.ts';
import { type ApiName, apiNames, serviceNames } from '../../spec/documents/services.ts';

const option = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { check: option, 'if-changed': option } });
const root = join(import.meta.dirname, '../..');
const fileOf = (name: ApiName) => join(root, 'spec/openapi', `${name}.json`);
const types = join(root, 'spec/types');
const stampFile = join(types, 'sources.sha256');
const stamp = hashFiles(root, ['{gateway,spec}/**/*.ts', 'package-lock.json'], ['gateway/console/**', 'spec/types/**']);
const isCommitted = (name: ApiName) => serviceNames.some((one) => one === name);

if (values.check) await check();
else if (!values['if-changed'] || !isStamped(stampFile, stamp)) await write();

async function check(): Promise<void> {
  const documents = await readDocuments();
  const outdated = apiNames.filter((name) => isCommitted(name) && readFileSync(fileOf(name), 'utf8') !== textOf(documents[name]));
  if (outdated.length === 0) return;
  process.stderr.write(`out of date: ${outdated.map(fileOf).join(', ')}. Run npm run openapi and commit what it wrote.\n`);
  process.exitCode = 1;
}

async function write(): Promise<void> {
  const documents = await readDocuments();
  mkdirSync(types, { recursive: true });
  for (const name of apiNames)
    if (!(values['if-changed'] && isCommitted(name))) writeFileSync(fileOf(name), textOf(documents[name]));
  writeFileSync(join(types, 'filters.ts'), listFilters(documents.manage as Manage));
  writeFileSync(stampFile, stamp);
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the documents that a gateway serves. */
async function readDocuments(): Promise<Record<ApiName, object>> {
  const [{ startGateway }, { readSettings }, { openMemory }] = await Promise.all([
    import('../../gateway/gateway.ts'),
    import('../../gateway/start/config.ts'),
    import('../../gateway/start/memory.ts'),
  ]);
  const log = openLog('error');
  const gateway = await startGateway({
    ...openMemory(systemClock, log),
    settings: readSettings({}),
    operatorToken: 'not used: no call is made',
    keys: new Keyring(Buffer.alloc(32)),
    clock: systemClock,
    log,
  });
  const read = async (name: ApiName) => {
    const document = (await gateway.app.inject(`/docs/${name}.json`)).json();
    // Removes the address of this server, because nobody else can reach it.
    return [name, { ...document, servers: document.servers.map(({ url }: { url: string }) => ({ url: new URL(url).pathname })) }];
  };
  const documents = Object.fromEntries(await Promise.all(apiNames.map(read)));
  await gateway.close();
  return documents;
}

interface Manage {
  paths: Record<string, { get: { parameters: { name: string; schema: { type: string } }[] } }>;
}

/** The filters of each list that can be counted. */
function listFilters({ paths }: Manage): string {
  const counts = Object.entries(paths).filter(([path]) => path.endsWith('/count'));
  const lists = counts.map(([path, { get }]) => [
    path.slice(1, -'/count'.length),
    Object.fromEntries(get.parameters.map(({ name, schema }) => [name, schema.type])),
  ]);
  return `/** The filters of the manage API's lists, with the types of their values. */
export const listFilters = ${JSON.stringify(Object.fromEntries(lists), null, 2)} as const;\n`;
}

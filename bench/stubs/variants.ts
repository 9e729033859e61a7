import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundle } from '../../packaging/bundle.ts';
import type { Stub } from '../../stubs/types.ts';
import { get, inventory, pact, post, sale } from './calls.ts';
import { install } from './install.ts';

export interface Variant {
  name: string;
  /** Installs the program and returns it with its arguments. Throws if it cannot be installed. */
  prepare(port: number): Promise<string[]>;
  /** Returns the token for its calls. Without it, any token will do. */
  token?(origin: string): Promise<string>;
}

const root = join(import.meta.dirname, '../..');
const node = process.execPath;

/** Writes the files for the others: the pact, and the document without servers and with replies as large as the stub's. */
function filesIn(folder: string): { document: string; pactFile: string } {
  mkdirSync(folder, { recursive: true });
  const [document, pactFile] = [join(folder, 'pos.json'), join(folder, 'pact.json')];
  const openApi = JSON.parse(readFileSync(join(root, 'contracts/openapi/pos.json'), 'utf8'));
  const [read, write] = [openApi.paths[get.path.split('?')[0] as string].get, openApi.paths[post.path].post];
  read.responses[200].content['application/json'].example = inventory;
  write.responses[201].content['application/json'].example = sale;
  writeFileSync(document, JSON.stringify({ ...openApi, servers: [] }));
  writeFileSync(pactFile, JSON.stringify(pact));
  return { document, pactFile };
}

/** All variants. Ratios are to bare Fastify. */
export function variantsIn(cache: string): Variant[] {
  const { document, pactFile } = filesIn(cache);
  const prism = async (port: number, level: string) => {
    const bin = await install(cache, '@stoplight/prism-cli', '5.16.0', 'prism');
    return [node, bin, 'mock', '--port', `${port}`, '--verboseLevel', level, document];
  };
  return [
    {
      name: 'passerelle stub pos',
      prepare: async (port) => [node, join(root, 'dist/cli/bin.js'), 'stub', 'pos', '--port', `${port}`, '--quiet'],
      token: tokenOfStub,
    },
    {
      name: 'the single executable',
      async prepare(port) {
        const executable = join(root, 'binary/passerelle');
        if (!existsSync(executable)) throw new Error('Build it first: npm run build:binary.');
        return [executable, 'stub', 'pos', '--port', `${port}`, '--quiet'];
      },
      token: tokenOfStub,
    },
    {
      name: 'startStub in a program',
      prepare: async (port) => [node, await plain('in-process'), `${port}`, join(root, 'dist/index.js')],
      token: tokenOfStub,
    },
    { name: 'bare Fastify with zod', prepare: async (port) => [node, await plain('bare-zod'), `${port}`] },
    { name: 'Prism', prepare: (port) => prism(port, 'info') },
    { name: 'Prism, log off', prepare: (port) => prism(port, 'silent') },
    {
      name: 'Mockoon',
      async prepare(port) {
        const bin = await install(cache, '@mockoon/cli', '9.9.0', 'mockoon-cli');
        return [node, bin, 'start', '--data', document, '--port', `${port}`, '--disable-log-to-file'];
      },
    },
    {
      name: 'pact-stub-server',
      async prepare(port) {
        const bin = await install(cache, '@pact-foundation/pact-cli', '18.1.2', 'pact');
        const { standalone } = createRequire(bin)('@pact-foundation/pact-cli/src/pact-standalone.js');
        return [standalone().pactFullPath, 'stub', '--loglevel', 'none', '--port', `${port}`, '--file', pactFile];
      },
    },
  ];
}

/** Compiles a program to JavaScript, like the published package. Otherwise Node would strip its types at each start. */
async function plain(name: string): Promise<string> {
  const { files } = await bundle(join(root, 'bench/stubs'), [`${name}.ts`], (one) => /^[@a-z]/.test(one));
  const folder = join(root, 'node_modules/.cache/passerelle-bench');
  mkdirSync(folder, { recursive: true });
  for (const [path, code] of files) writeFileSync(join(folder, path), code);
  return join(folder, `${name}.ts.js`);
}

async function tokenOfStub(origin: string): Promise<string> {
  const { data: stub } = (await (await fetch(`${origin}/_stub`)).json()) as { data: Pick<Stub<'pos'>, 'credentials'> };
  const { apiKey: api_key, apiSecret: api_secret } = stub.credentials;
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${origin}/api/auth`, { method: 'POST', headers, body: JSON.stringify({ api_key, api_secret }) });
  return ((await reply.json()) as { token: string }).token;
}

/**
 * Clients that generators make of our OpenAPI documents: whether they compile with a program that makes 20 calls, make them, and on which
 * choices that program depends. The program is written from one table, so that it differs in the form of the calls only.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { byReason, type Evidence } from './material.ts';

const root = join(import.meta.dirname, '../..');

/** Arguments as they are written in a program. */
interface Call {
  does: string;
  api: 'pos' | 'cohesion';
  operation: string;
  method: string;
  path: string;
  id?: string;
  query?: string;
  body?: string;
  /** The field of a success that the program reads; undefined if the call must be refused. */
  reads?: string;
  /** Names the reply's data for later calls. */
  as?: string;
  token?: 'none';
}

const pos = (does: string, operation: string, method: string, path: string, more: Partial<Call>): Call => ({
  does,
  api: 'pos',
  operation,
  method,
  path,
  ...more,
});
const cohesion = (does: string, operation: string, method: string, path: string, more: Partial<Call>): Call => ({
  ...pos(does, operation, method, path, more),
  api: 'cohesion',
});
const sale = (method: 'cash' | 'mobile_money', quantity = 1) =>
  `{ store_id: 'STORE-ABJ-01', items: [{ product_id: 'PRD-0001', quantity: ${quantity}, price: 2500 }], payment_method: '${method}', total: ${2500 * quantity} }`;
const store = "{ store_id: 'STORE-ABJ-01' }";
const financing =
  "structure_id: 1, exercice: 2026, bailleur: 'Banque', type: 'bailleur', intitule: 'Appui', montant: 25000000, statut: 'promis'";

const calls: readonly Call[] = [
  pos('signs in', 'issueToken', 'POST', '/api/auth', {
    body: '{ api_key: env.PASSERELLE_POS_API_KEY!, api_secret: env.PASSERELLE_POS_API_SECRET! }',
    reads: 'token',
    token: 'none',
  }),
  pos('is told of wrong credentials', 'issueToken', 'POST', '/api/auth', {
    body: "{ api_key: 'nobody', api_secret: 'wrong' }",
    token: 'none',
  }),
  pos('sells for cash', 'createSale', 'POST', '/api/v1/sales', { body: sale('cash'), reads: 'data.id' }),
  pos('sells for mobile money', 'createSale', 'POST', '/api/v1/sales', {
    body: sale('mobile_money'),
    reads: 'data.reference',
    as: 'sold',
  }),
  pos('takes a payment', 'payByMobileMoney', 'POST', '/api/v1/payment/mobile', {
    body: "{ amount: 2500, phone: '+2250700000000', provider: 'orange_money', reference: sold }",
    reads: 'data.status',
  }),
  pos('is told that nothing was sold', 'createSale', 'POST', '/api/v1/sales', { body: sale('cash', 0) }),
  pos('reads the inventory', 'readInventory', 'GET', '/api/v1/inventory', { query: store, reads: 'data.items' }),
  pos('is told of an unknown store', 'readInventory', 'GET', '/api/v1/inventory', { query: "{ store_id: 'STORE-NOWHERE' }" }),
  pos('reads the report', 'reportSales', 'GET', '/api/v1/reports/sales', { query: store, reads: 'data.totals' }),
  pos('is told of a missing token', 'reportSales', 'GET', '/api/v1/reports/sales', { query: store, token: 'none' }),
  cohesion('reads its user', 'readMe', 'GET', '/api/v1/me', { reads: 'data' }),
  cohesion('lists indicators', 'listIndicators', 'GET', '/api/v1/indicateurs', {
    query: '{ page: 1, per_page: 5 }',
    reads: 'data',
  }),
  cohesion('reads an indicator', 'readIndicator', 'GET', '/api/v1/indicateurs/{id}', { id: '1', reads: 'data.code' }),
  cohesion('is told of an unknown indicator', 'readIndicator', 'GET', '/api/v1/indicateurs/{id}', { id: '999999' }),
  cohesion('lists interventions', 'listInterventions', 'GET', '/api/v1/interventions', {
    query: '{ per_page: 5 }',
    reads: 'meta',
  }),
  cohesion('lists structures', 'listStructures', 'GET', '/api/v1/structures', { query: '{ page: 2 }', reads: 'data' }),
  cohesion('reads statistics', 'readStats', 'GET', '/api/v1/stats', { query: '{ annee: 2026 }', reads: 'data' }),
  cohesion('creates a financing', 'createFinancing', 'POST', '/api/v1/financements', {
    body: `{ ${financing} }`,
    reads: 'data.id',
    as: 'created',
  }),
  cohesion('updates a financing', 'updateFinancing', 'PUT', '/api/v1/financements/{id}', {
    id: 'created',
    body: `{ ${financing.replace('promis', 'obtenu')} }`,
    reads: '',
  }),
  cohesion('is told of a wrong page', 'listStructures', 'GET', '/api/v1/structures', { query: '{ page: 0 }' }),
];

interface Generator {
  packages: string[];
  /** Writes the client of a document to a folder. */
  generate: [program: string, ...args: string[]];
  config?: Record<string, string>;
  /** The lines that import the clients and give them their addresses. */
  opens: string;
  /** The call, as an expression whose value is the reply's body, or a part of it; it may throw. */
  call(one: Call): string;
}

const parts = ({ id, query, body }: Call) => ({ id, query, body });
const listed = (...of: (string | undefined)[]) => of.filter((one) => one !== undefined).join(', ');
const field = (name: string, value: string | undefined) => (value === undefined ? undefined : `${name}: ${value}`);
const header = ({ api, token }: Call) =>
  token === 'none' ? '{}' : `{ headers: { authorization: \`Bearer \${tokens.${api}}\` } }`;

export const generators: Record<string, Generator> = {
  'openapi-typescript 7.13.0 with openapi-fetch 0.17.0': {
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
    generate: ['openapi-typescript', 'DOCUMENT', '-o', 'FOLDER/client.ts'],
    opens: `import createClient from 'openapi-fetch';
import type { paths as P } from './pos/client';
import type { paths as C } from './cohesion/client';
const pos = createClient<P>({ baseUrl: urls.pos }), cohesion = createClient<C>({ baseUrl: urls.cohesion });`,
    call: (one) => {
      const params = listed(field('path', one.id && `{ id: ${one.id} }`), field('query', one.query));
      return `(await ${one.api}.${one.method}('${one.path}', { ...${header(one)}, params: { ${params} }${one.body ? `, body: ${one.body}` : ''} })).data`;
    },
  },
  '@hey-api/openapi-ts 0.99.0': {
    packages: ['@hey-api/openapi-ts@0.99.0'],
    generate: ['openapi-ts', '-i', 'DOCUMENT', '-o', 'FOLDER'],
    opens: `import * as pos from './pos/sdk.gen';
import * as cohesion from './cohesion/sdk.gen';
import { client as p } from './pos/client.gen';
import { client as c } from './cohesion/client.gen';
p.setConfig({ baseUrl: urls.pos });
c.setConfig({ baseUrl: urls.cohesion });`,
    call: (one) => {
      const { id, query, body } = parts(one);
      const given = listed(field('path', id && `{ id: ${id} }`), field('query', query), field('body', body));
      return `(await ${one.api}.${one.operation}({ ${listed(given || undefined, `...${header(one)}`)} })).data`;
    },
  },
  'orval 8.38.0 (fetch)': {
    packages: ['orval@8.38.0'],
    generate: ['orval', '--input', 'DOCUMENT', '--output', 'FOLDER/client.ts', '--client', 'fetch'],
    opens: `import * as pos from './pos/client';
import * as cohesion from './cohesion/client';
relative = true;`,
    call: (one) => `(await ${one.api}.${one.operation}(${listed(one.id, one.body, one.query, header(one))})).data`,
  },
  'swagger-typescript-api 13.13.0': {
    packages: ['swagger-typescript-api@13.13.0'],
    generate: ['swagger-typescript-api', 'generate', '-p', 'DOCUMENT', '-o', 'FOLDER', '-n', 'client.ts'],
    opens: `import { Api as P } from './pos/client';
import { Api as C } from './cohesion/client';
const pos = new P({ baseUrl: urls.pos }).api, cohesion = new C({ baseUrl: urls.cohesion }).api;`,
    call: (one) => `(await ${one.api}.${one.operation}(${listed(one.id, one.query, one.body, header(one))})).data`,
  },
  'kubb 4.39.3 (plugin-client, fetch)': {
    packages: ['cli', 'core', 'plugin-oas', 'plugin-ts', 'plugin-client'].map((name) => `@kubb/${name}@4.39.3`),
    generate: ['kubb', 'generate', '--config', 'kubb.config.ts'],
    config: {
      'kubb.config.ts': `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  root: '.',
  input: { path: process.env.DOCUMENT! },
  output: { path: process.env.FOLDER! },
  plugins: [pluginOas({ validate: false }), pluginTs({ output: { path: 'types' } }), pluginClient({ client: 'fetch', output: { path: 'clients' } })],
});`,
    },
    opens: `import * as pos from './pos/index';
import * as cohesion from './cohesion/index';
relative = true;`,
    call: (one) => {
      const headers = one.api === 'pos' && one.body && one.token !== 'none' ? '{}' : undefined;
      // Its fetch sends JSON as text/plain, unless the caller says what it is.
      const config = header(one)
        .replace('headers: {', "headers: { 'content-type': 'application/json',")
        .replace(/^\{\}$/, "{ headers: { 'content-type': 'application/json' } }");
      return `await ${one.api}.${one.operation}(${listed(one.id, one.body, one.query, headers, config)})`;
    },
  },
};

/** What a program that is written by hand around a client has, in the same words for all. */
const frame = `import assert from 'node:assert/strict';
import { test } from 'node:test';
const { env } = process;
const urls = { pos: env.PASSERELLE_POS_URL!, cohesion: env.PASSERELLE_COHESION_URL! };
const tokens = { pos: '', cohesion: env.PASSERELLE_COHESION_TOKEN! };
/** True if the client knows no address: then its requests get one here. */
let relative = false;
let status = 0;
const real = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const path = String(input);
  const api = /^\\/api\\/(auth|v1\\/(sales|payment|inventory|reports))/.test(path) ? 'pos' : 'cohesion';
  const reply = await real(relative ? urls[api] + path : input, init);
  status = reply.status;
  return reply;
};
const succeeds = (body: unknown, path: string) => {
  assert.ok(status >= 200 && status < 300, \`answered \${status}\`);
  if (path === '') return body;
  const value = path.split('.').reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], body);
  assert.notEqual(value, undefined, \`no \${path}\`);
  return value;
};
const refused = async (call: () => Promise<unknown>) => {
  await call().catch((error) => assert.ok(!(error instanceof SyntaxError), 'the refusal is lost'));
  assert.ok(status >= 400 && status < 500, \`answered \${status}\`);
};
`;

function programOf({ opens, call }: Generator): string {
  const tests = calls.map((one) => {
    const asked = call(one);
    if (one.reads === undefined) return `test('${one.does}', () => refused(async () => ${asked}));`;
    const kept = one.as ? `${one.as} = ` : one.reads === 'token' ? 'tokens.pos = ' : '';
    const type = one.as === 'created' ? ' as number' : ' as string';
    return `test('${one.does}', async () => { ${kept}succeeds(${asked}, '${one.reads}')${type}; });`;
  });
  return `${frame}${opens}\nlet sold = '', created = 0;\n${tests.join('\n')}\n`;
}

export async function run(): Promise<Evidence[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'passerelle-clients-'));
  const inScratch = (program: string, args: readonly string[], env: Record<string, string> = {}) => {
    const path = `${join(scratch, 'node_modules/.bin')}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
    const done = spawnSync(program, args, {
      cwd: scratch,
      encoding: 'utf8',
      env: { ...process.env, ...env, PATH: path },
      maxBuffer: 2 ** 28,
    });
    return { ...done, text: `${done.stdout}${done.stderr}` };
  };
  try {
    writeFileSync(join(scratch, 'package.json'), '{ "private": true, "type": "module" }');
    const packages = Object.values(generators).flatMap((one) => one.packages);
    execFileSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'typescript@5.9.3', '@types/node@24', ...packages],
      { cwd: scratch, stdio: 'ignore' },
    );
    const rows: Evidence[] = [];
    const probed: Probed[] = [];
    for (const [name, generator] of Object.entries(generators)) {
      const folder = join(scratch, name.replaceAll(/\W/g, '-'));
      for (const [file, text] of Object.entries(generator.config ?? {})) writeFileSync(join(scratch, file), text);
      for (const api of ['pos', 'cohesion']) {
        mkdirSync(join(folder, api), { recursive: true });
        const given = { DOCUMENT: join(root, `contracts/openapi/${api}.json`), FOLDER: join(folder, api) };
        const filled = generator.generate.map((one) => one.replace('DOCUMENT', given.DOCUMENT).replace('FOLDER', given.FOLDER));
        const done = inScratch(filled[0] as string, filled.slice(1), given);
        if (done.status !== 0) throw new Error(`${name}: ${done.text}`);
      }
      writeFileSync(join(folder, 'suite.ts'), programOf(generator));
      const compiler =
        '--noEmit --strict --skipLibCheck --target esnext --module esnext --moduleResolution bundler --allowImportingTsExtensions --types node';
      const compiled = inScratch('tsc', [...compiler.split(' '), '--lib', 'esnext,dom,dom.iterable', join(folder, 'suite.ts')]);
      const errors = compiled.text.split('\n').filter((line) => line.includes('error TS'));
      const bundle = await rolldown({ input: join(folder, 'suite.ts'), external: /^node:/, logLevel: 'silent' });
      await bundle.write({ file: join(folder, 'suite.mjs') });
      const withStubs = (command: string, ...options: string[]) => [
        join(root, 'cli/passerelle.ts'),
        command,
        'pos',
        'cohesion',
        ...options,
      ];
      const suite = ['--', 'node', '--test', '--test-reporter=tap', join(folder, 'suite.mjs')];
      const { text } = inScratch('node', [...withStubs('run'), ...suite]);
      const failed = [...text.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, test]) => `fails: ${test}`);
      rows.push({
        what: `${nameIn(name)}: compiles in strict mode, and makes the calls`,
        version: versionIn(name),
        cases: calls.length,
        agreed: Number(/^# pass (\d+)$/m.exec(text)?.[1] ?? 0),
        others: byReason([...errors, ...failed]),
      });
      const report = join(folder, 'probe.json');
      inScratch('node', [...withStubs('probe', '--order-seed', '1', '--fresh', '--output', report), ...suite]);
      probed.push({ name, report: JSON.parse(readFileSync(report, 'utf8')) });
    }
    rows.push(...dependencies(probed));
    return rows;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const versionIn = (name: string) => name.replace(/^\S+ /, '');
const nameIn = (name: string) => name.replace(/ .*/, '');

interface Finding {
  alternatives: { id: string }[];
}
interface Probed {
  name: string;
  report: { exercised: unknown[]; dependencies: Finding[]; questions: Finding[] };
}

const namesOf = (findings: readonly Finding[]) =>
  findings.map(({ alternatives }) => alternatives.map(({ id }) => `\`${id}\``).join(' with '));

/** What `probe` found: a row of what all programs depend on, which is what the table of calls reads, and what each has beside it. */
function dependencies(probed: readonly Probed[]): Evidence[] {
  const found = probed.map(({ name, report }) => ({ name, report, dependencies: namesOf(report.dependencies) }));
  const common = found[0]?.dependencies.filter((one) => found.every((other) => other.dependencies.includes(one))) ?? [];
  return found.map(({ name, report, dependencies: all }, index) => {
    const own = all.filter((one) => !common.includes(one));
    return {
      what: `${nameIn(name)}: the choices that \`probe\` plays`,
      version: versionIn(name),
      cases: report.exercised.length,
      agreed: report.exercised.length - all.length - report.questions.length,
      others: [
        { cases: report.questions.length, why: 'questions for the service’s owner, which no client can be ready for' },
        {
          cases: common.length,
          why: `dependencies of all clients${index > 0 ? '' : `, because of what the program sends and reads: ${common.join(', ')}`}`,
        },
        ...(own.length > 0 ? [{ cases: own.length, why: `a dependency of this client alone: ${own.join(', ')}` }] : []),
      ],
    };
  });
}

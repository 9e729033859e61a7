/** What each room may import. `npm run rooms` writes it as rules of the linter to biome.rooms.json, which biome.json extends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files, the imports that are forbidden there (with `!`: allowed after all), and what the linter says then. */
type Room = [files: string, imports: string[], message: string];

const gateway = 'base store queue figures webhooks alerts http api manage profile console start'.split(' ');
const beside = '**/{stubs,cli,packaging,bench,test}/**';
const tools = '**/contracts/{tools,consumers,pacts}/**';

/** A folder of the gateway. It may import its room and the others that it names, or files of them. `more`: the imports that follow from no name. */
function room(files: string, others: string, ...more: string[]): Room {
  const names = others.split(', ');
  const own = files.split('/')[0] ?? '';
  const forbidden = gateway.filter((name) => name !== own && !names.includes(name));
  const allowed = names.filter((name) => name.includes('/')).map((name) => `!**/${name}${name.endsWith('.ts') ? '' : '/**'}`);
  const imports = [`**/{${forbidden}}/**`, ...allowed, '**/{app,gateway,listen,server}.ts', beside, tools, ...more];
  return [`gateway/${files}`, imports, `Of the gateway, ${files.replace(/\*.*/, '')} imports only: ${others}.`];
}

/** The folders of gateway/webhooks/. Each may import those before it. */
const folders = 'model sending outbox endpoints delivery upkeep operator'.split(' ');
const webhooks = folders.map((folder, at) => {
  const before = folders.slice(0, at).map((name) => `, webhooks/${name}`);
  const after = folders.slice(at + 1).map((name) => `../${name}/**`);
  return room(`webhooks/${folder}/**`, `base, store, queue, figures${before.join('')}`, ...after, '../webhooks.ts');
});

const outbox = 'webhooks/outbox/event.ts, webhooks/outbox/change.ts';
const parts = 'app.ts builds, gateway.ts puts the parts together, listen.ts listens: imports run from the last to the first.';
const page = [
  '**/{gateway,stubs,cli,packaging,bench,test}/**',
  tools,
  '**/../{base,store,queue,figures,webhooks,api,manage,start}/**',
];
const operator = ['{app,root,session-gate,main}.{ts,tsx}', 'pages/**', 'texts/index.ts', 'texts/{en,fr}/index.ts'];
const partner = "is the partner's: it works without the gateway.";

/** If a file is in two rooms, the later one decides. */
const rooms: readonly Room[] = [
  ['gateway/base/**', ['../**', '!../template.ts'], 'base/ imports packages and its own files only.'],
  room('store/**', 'base'),
  room('queue/*.ts', 'base, store/pglite'),
  room('queue/gate/**', 'base', '../*.ts'),
  room('figures/**', 'base, store, queue'),
  ...webhooks,
  room('webhooks/webhooks.ts', 'base, store, queue, figures'),
  room('alerts/**', 'base, store, figures, webhooks/sending'),
  room('http/*.ts', `base, store, figures, ${outbox}`),
  room('http/record/**', 'base, store', '../limit/**', '../*.ts', '!../api.ts'),
  room('http/limit/**', 'base, store', '../record/**', '../*.ts', '!../api.ts'),
  room('http/session/**', 'base', '../record/**', '../*.ts', '!../api.ts'),
  room('api/pos/**', `base, store, http, ${outbox}, webhooks/outbox/owners.ts`, '**/cohesion/**'),
  room('api/cohesion/**', `base, store, http, ${outbox}, webhooks/outbox/owners.ts`, '**/pos/**'),
  room('manage/**', 'base, store, figures, webhooks, alerts, http, api'),
  room('profile/**', 'base, store, figures, webhooks, alerts, http, api, manage'),
  room('console/*.ts', 'base'),
  room('docs/**', 'base'),
  [
    'gateway/console/page/**',
    page,
    'The page imports its own files, the typed client, documents/services.ts and http/record/curl.ts only.',
  ],
  [
    'gateway/console/profile/**',
    [...page, '**/spec/types/manage.ts', ...operator.map((files) => `**/page/${files}`)],
    "The profile imports its own files, page/{lib,parts}/, the shared texts and its typed client: nothing of the operator's.",
  ],
  [
    'gateway/console/page/lib/**',
    [
      '../**',
      '!../texts/shared.ts',
      '!**/spec/types/{filters,manage}.ts',
      '!**/spec/documents/services.ts',
      '!../../../{base/causes/cause,webhooks/model/reasons}.ts',
    ],
    'page/lib/ imports packages, its own files, the texts, the typed client, documents/services.ts, base/causes/ and model/reasons.ts only.',
  ],
  [
    'gateway/console/page/parts/**',
    ['**/pages/**', '../../../**', '!../../../../http/record/curl.ts'],
    'page/parts/ imports parts/, lib/, the texts and http/record/curl.ts only.',
  ],
  [
    'gateway/console/page/texts/*/**',
    ['../../**', '!../../lib/{format,time}.ts', '!../../../../base/causes/*.ts', '!**/spec/documents/plans.ts'],
    'A catalogue imports its own files, lib/format.ts, lib/time.ts, base/causes/ and documents/plans.ts only.',
  ],
  [
    'gateway/console/page/pages/*/**',
    [
      '../*/**',
      '../../../../**',
      '!../../{lib,parts}/**',
      '!../../../{lib,parts}/**',
      '!**/../../texts/index.ts',
      '!../../../../http/record/curl.ts',
      '!**/spec/documents/plans.ts',
    ],
    'A page imports its own folder, parts/, lib/, the texts and documents/plans.ts only: what two pages share belongs in parts/ or lib/.',
  ],
  room('start/**', 'base, store, queue, figures, webhooks, alerts, http, api, manage, profile'),
  ['gateway/app.ts', [beside, '**/{gateway,listen,server}.ts', tools], parts],
  ['gateway/gateway.ts', [beside, '**/{listen,server}.ts', tools], parts],
  ['gateway/{listen,server}.ts', [beside, tools], 'Only contracts/tools, stubs and cli start a gateway.'],
  [
    'spec/{gaps,documents}/**',
    ['**/{gateway,stubs,cli,tools,consumers,test,openapi}/**'],
    'spec/gaps and spec/documents are data and pure functions: they import nothing else.',
  ],
  [
    'spec/openapi/**',
    ['**/{gateway,stubs,cli,tools,consumers,test}/**'],
    'spec/openapi is data, and what reads it: it imports spec/documents only.',
  ],
  ['contracts/consumers/**', ['**/{gateway,stubs,cli,tools}/**'], 'Example consumers know the documents and Pact only.'],
  ['contracts/tools/**', ['**/{stubs,cli,consumers,test,packaging}/**'], 'contracts/tools imports data and gateway/ only.'],
  [
    'contracts/tools/probe/**',
    ['**/{cli,consumers,packaging,test}/**'],
    'contracts/tools/probe/ imports stubs/, contracts/tools/, spec/ and gateway/ only.',
  ],
  [
    'test/history/**',
    ['**/{gateway,stubs,cli,consumers,packaging}/**', '!**/gateway/base/**'],
    'test/history/ judges the gateway, so it shares no code with it: it imports gateway/base/ and its own files.',
  ],
  ['stubs/**', ['**/{cli,consumers,packaging,test}/**'], 'stubs/ imports gateway/, spec/, contracts/tools/ and fixtures/ only.'],
  [
    'cli/**',
    ['**/{consumers,packaging,test}/**', '!**/packaging/install/**'],
    'cli/ imports everything that a command runs, and no tests.',
  ],
  [
    'packaging/install/**',
    ['../**'],
    "packaging/install/ imports Node's own modules and its own files only: it runs before the packages are ready.",
  ],
  ['receivers/**', ['**/{gateway,stubs,contracts,cli}/**'], `A receiver ${partner}`],
  ['spec/clients/**', ['**/{gateway,stubs,contracts,cli}/**'], `A client ${partner}`],
  ['fixtures/**', ['../**'], 'fixtures/ is data: it imports nothing.'],
];

/** The text of biome.rooms.json: one rule of the linter in each line. */
export const roomRules = () => {
  const rules = rooms.map(([files, group, message]) => {
    const noRestrictedImports = { level: 'error', options: { patterns: [{ group, message }] } };
    return JSON.stringify({ includes: [files], linter: { rules: { style: { noRestrictedImports } } } });
  });
  return `{"overrides": [\n${rules.join(',\n')}\n]}\n`;
};

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../biome.rooms.json'), roomRules());

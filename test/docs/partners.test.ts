import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../../spec/openapi/operations.ts';
import { examplesOf } from '../../stubs/examples/reply.ts';
import { Faults } from '../../stubs/faults/faults.ts';
import { kindNames, kindOf } from '../../stubs/faults/kinds.ts';
import { wishesOf } from '../../stubs/faults/prefer.ts';
import { faultRuleSchema } from '../../stubs/faults/rule.ts';
import { parseRule } from '../../stubs/faults/rule-text.ts';
import { parseMobileMoney } from '../../stubs/payments/rule.ts';
import { startStub } from '../../stubs/stub.ts';
import { blocksUnder, readGuide } from './guide.ts';

const faults = 'docs/partners/faults.md';

/** The code in backticks in one column of the page's table that begins with this heading row. */
function column(page: string, headingRow: string, index: number): string[] {
  const [, after = ''] = readGuide(page).split(`${headingRow}\n`);
  const rows = after.split('\n').slice(1);
  const end = rows.findIndex((row) => !row.startsWith('|'));
  return rows
    .slice(0, end)
    .flatMap((row) => [...(row.split('|')[index] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

test('every fault rule in the guide is valid', () => {
  const blocks = blocksUnder(faults).map(({ code }) => code.trim());
  const [objects, texts] = [blocks.filter((code) => code.startsWith('{')), blocks.filter((code) => !code.startsWith('{'))];
  for (const code of objects) expect(() => new Faults([JSON.parse(code)])).not.toThrow();
  const examples = texts.flatMap((code) => code.split('\n'));
  const kinds = column(faults, '| rule | `Prefer` | what happens |', 1).map((fault) => `*:${fault}`);
  expect(examples.length + kinds.length).toBeGreaterThan(15);
  for (const rule of [...examples, ...kinds]) expect(() => parseRule(rule)).not.toThrow();
});

test('the guide names the fields of a rule as an object, where they differ from the words of its text', () => {
  const ofKinds = kindNames.flatMap((kind) =>
    Object.entries(kindOf({ kind }).options).flatMap(([word, { field }]) => (field === word ? [] : [field])),
  );
  for (const field of [...Object.keys(faultRuleSchema.shape), ...ofKinds])
    expect(readGuide(faults)).toMatch(new RegExp(`["\`]${field}\\b|\\b${field}:`));
});

test('every rule of mobile money in the guide is valid', () => {
  const page = 'docs/partners/mobile-money.md';
  const texts = blocksUnder(page).flatMap(({ code }) => (code.includes('await') ? [] : code.trim().split('\n')));
  const parts = column(page, '| part of a rule | meaning |', 1).filter((part) => !part.includes('='));
  expect(texts.length + parts.length).toBeGreaterThan(8);
  for (const rule of [...texts, ...parts]) expect(() => parseMobileMoney(rule)).not.toThrow();
});

test('every preference in the guide is applied', () => {
  const shown = column(faults, '| rule | `Prefer` | what happens |', 2);
  expect(shown.length).toBeGreaterThan(10);
  for (const preference of shown) {
    const { applied, ignored } = wishesOf(preference, 'createSale', Math.random, examplesOf('pos'));
    expect({ preference, applied: applied.length, ignored }).toEqual({ preference, applied: 1, ignored: [] });
  }
});

test.each([
  ['start-node', 'receiver.mjs'],
  ['single-page-application', 'server.mjs'],
])('in %s, %s does not start without a secret, and says where to find it', (page, name) => {
  const { code = '' } = blocksUnder(`docs/partners/${page}.md`).find(({ mark }) => mark === name) ?? {};
  const verify = new URL('../../receivers/verify-signature.ts', import.meta.url).href;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code.replace('passerelle/receiver', verify)], {
    encoding: 'utf8',
    env: { SECRET: '' },
  });
  expect([run.status, run.stderr]).toEqual([
    1,
    expect.stringMatching(/Set \w*SECRET to the signing secret, which the stub prints/),
  ]);
});

test('the guide names every event', () => {
  const named = column('docs/partners/trigger.md', '| service | events |', 2);
  expect(named.sort()).toEqual([...Object.keys(eventsOf('pos')), ...Object.keys(eventsOf('cohesion'))].sort());
});

test('the guide and the OpenAPI document show every route of /_stub, and no other', async () => {
  const served = new Set<string>();
  const collect = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      const path = url.replace(/\/$/, '').replaceAll(/:(\w+)/g, '{$1}');
      // A route of several methods hands calls over to the app of `/_stub`, which the first call opens.
      if (url.startsWith('/_stub') && method !== 'HEAD' && !Array.isArray(method)) served.add(`${method} ${path}`);
    });
  };
  subscribe('fastify.initialization', collect);
  onTestFinished(() => void unsubscribe('fastify.initialization', collect));
  await using stub = await startStub('pos');
  await fetch(`${stub.url}/_stub`);
  const shown = column('docs/partners/control-api.md', '| request | body or query | what it does |', 1);
  expect(shown.sort()).toEqual([...served].sort());
  const { paths } = (await (await fetch(`${stub.url}/_stub/openapi.json`)).json()) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} /_stub${path}`.replace(/\/$/, '')),
  );
  expect(described.sort()).toEqual([...served].sort());
});

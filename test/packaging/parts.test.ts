import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hasPart, type Part, parts, requireParts, requirePartsOf } from '../../contracts/tools/parts.ts';
import { isLeftOut } from '../../packaging/contents.ts';
import { manifestOf } from '../../packaging/manifest.ts';

const root = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const tested = (name: Part): string => root.dependencies[name];

test.each(Object.keys(parts) as Part[])('%s is found in this repository', (part) => {
  expect(hasPart(part)).toBe(true);
});

test('the error for a missing part names the command that installs it, without Passerelle, which is in no registry', () => {
  const both = ['@pact-foundation/pact-core', '@pactflow/openapi-pact-comparator'] as const;
  const commandOf = (missing: readonly Part[]) =>
    `npm install --save-dev ${missing.map((name) => `${name}@${tested(name)}`).join(' ')}`;
  const [core, comparator] = both;
  const without = (missing: readonly Part[]) => (name: Part) => (missing.includes(name) ? undefined : tested(name));
  expect(() => requireParts('passerelle pact', both, without(both))).toThrow(
    `passerelle pact needs ${core}, ${comparator}, which are not installed. Where Passerelle is installed: ${commandOf(both)}`,
  );
  expect(() => requireParts('passerelle pact', both, without([comparator]))).toThrow(
    `passerelle pact needs ${comparator}, which is not installed. Where Passerelle is installed: ${commandOf([comparator])}`,
  );
});

test('the error for several missing or unsuitable parts names one command that installs them all', () => {
  const installed = (name: Part) =>
    ({ ioredis: '5.11.1', pg: undefined })[name as string] ?? { kysely: tested(name) }[name as string];
  expect(() => requirePartsOf('passerelle gateway', installed)).toThrow(
    `passerelle gateway needs @electric-sql/pglite, bullmq, ioredis (installed: 5.11.1), pg, which are not installed. Where Passerelle is installed: npm install --save-dev @electric-sql/pglite@${tested('@electric-sql/pglite')} bullmq@${tested('bullmq')} ioredis@${tested('ioredis')} pg@${tested('pg')}`,
  );
  expect(() => requirePartsOf('passerelle gateway', tested)).not.toThrow();
});

test.each([
  ['ioredis', '6.0.0', true],
  ['ioredis', '6.10.2', true],
  ['ioredis', '7.0.0', false],
  ['bullmq', '6.6.9', false],
  ['bullmq', '6.10.0', true],
  ['kysely', '0.29.10', true],
  ['kysely', '0.30.0', false],
] as const)('%s %s suits: %s', (name, version, suits) => {
  expect(hasPart(name, () => version)).toBe(suits);
});

test('the published manifest has paths below dist/ and lists parts as optional peers in any version', () => {
  const published = manifestOf(
    root,
    new Map([
      ['bullmq', 'x.js'],
      ['fastify', 'x.js'],
    ]),
  ) as Record<string, object>;
  expect(Object.keys(published.dependencies ?? {})).toEqual(['fastify']);
  expect(published).toMatchObject({ bin: { passerelle: 'cli/bin.js' }, exports: { '.': { default: './index.js' } } });
  expect(published.peerDependencies).toMatchObject({ bullmq: '*' });
  expect(published.peerDependenciesMeta).toMatchObject({ bullmq: { optional: true } });
  expect(published.parts).toMatchObject({ bullmq: tested('bullmq') });
});

test('the package holds only the served files of the console, in one encoding', () => {
  const files = ['index.html', 'sources.sha256', 'a.js', 'a.js.br', 'a.js.gz', 'a.js.map', 'b.css', 'b.css.gz'];
  const left = files.filter((name) => isLeftOut(name, (path) => files.includes(path)));
  expect(left).toEqual(['sources.sha256', 'a.js.gz', 'a.js.map']);
});

test('the package contains the guides and the API documents of docs/', () => {
  const paths = ['docs', 'docs/partners/faults.md', 'docs/console', 'docs/decisions', 'docs/spec'];
  const kept = ['docs', 'docs/partners/faults.md', 'docs/spec'];
  expect(paths.filter((path) => !isLeftOut(`/repository/${path}`, () => false))).toEqual(kept);
});

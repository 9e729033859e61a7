import { expect, test } from 'vitest';
import { withGapNotes } from '../../gateway/docs/reference/gap-notes.ts';
import { openApi } from '../../spec/openapi/operations.ts';
import { buildTestApp, sharedByTests } from '../helper.ts';

const shared = sharedByTests((atEnd) => buildTestApp({ demo: false, atEnd }));

const noteOn = (id: string) => `[${id}](/docs/gaps#${id})`;

test('the page runs only scripts of this server, and has a nonce of its own in each reply', async () => {
  const [page, other] = [await shared().call('GET', '/docs'), await shared().call('GET', '/docs')];
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const nonce = /<style nonce="([\w+/=]{20,})">/.exec(page.text)?.[1] as string;
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; " +
      `style-src-elem 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(other.text).not.toContain(nonce);
  const scripts = [...page.text.matchAll(/<script (?:type="module" )?src="([^"]+)"(?: defer)?><\/script>/g)].map(
    ([, src = '']) => src,
  );
  expect(scripts).toHaveLength(page.text.match(/<script/g)?.length ?? 0);
  for (const script of scripts) {
    const { status, headers } = await shared().call('GET', script);
    expect([script, status, headers['content-type']]).toEqual([script, 200, 'text/javascript; charset=utf-8']);
  }
  for (const name of ['pos', 'cohesion', 'manage']) expect(page.text).toContain(`<a href="/docs/${name}.json">`);
});

test('the library is compressed for clients that accept gzip', async () => {
  const plain = await shared().call('GET', '/docs/reference/scalar.js');
  const gzipped = await shared().call('GET', '/docs/reference/scalar.js', { headers: { 'accept-encoding': 'deflate, gzip' } });
  expect([plain.headers['content-encoding'], gzipped.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  expect(Number(gzipped.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 2);
});

test('every gap of a document is noted with a link to the register, and nothing else changes', () => {
  for (const document of Object.values(openApi)) {
    const text = JSON.stringify(withGapNotes(document));
    const ids = [...JSON.stringify(document).matchAll(/"x-gap":(\[[^\]]*\])/g)].flatMap(([, list = '']) => JSON.parse(list));
    expect(ids.length).toBeGreaterThan(10);
    for (const id of ids) expect(text).toContain(noteOn(id));
    const without = JSON.parse(text, (_key, value) => (value?.['x-gap'] ? { ...value, description: undefined } : value));
    const original = JSON.parse(JSON.stringify(document), (_key, value) =>
      value?.['x-gap'] ? { ...value, description: undefined } : value,
    );
    expect(without).toEqual(original);
  }
});

test('a note follows an existing description', () => {
  expect(withGapNotes({ 'x-gap': ['pos.currency', 'pos.decimals'], description: 'In the currency of the store.' })).toEqual({
    'x-gap': ['pos.currency', 'pos.decimals'],
    description: `In the currency of the store.\n\nLeft open by the document: ${noteOn('pos.currency')}, ${noteOn('pos.decimals')}.`,
  });
});

test('the page shows the documents of the gateway as they are served, with the notes', async () => {
  for (const name of ['pos', 'cohesion', 'manage']) {
    const [shown, document] = [
      await shared().call('GET', `/docs/reference/${name}.json`),
      await shared().call('GET', `/docs/${name}.json`),
    ];
    // The page calls this server only; the documents for programs have absolute servers.
    const [{ url }] = document.body.servers;
    expect(shown.body).toEqual({ ...withGapNotes(document.body), servers: [{ url: new URL(url).pathname }] });
  }
});

test('no two operations of an API have one title', () => {
  for (const { paths } of Object.values(openApi)) {
    const titles = Object.values(paths).flatMap((item) => Object.values(item).map(({ summary }) => summary));
    expect(titles).toEqual([...new Set(titles)]);
  }
});

test('opening the page and its parts is not recorded', async () => {
  for (const path of ['/docs', '/docs/reference/pos.json', '/docs/gaps', '/docs/guides']) await shared().call('GET', path);
  expect((await shared().manage('GET', '/calls')).body.data).toEqual([]);
});

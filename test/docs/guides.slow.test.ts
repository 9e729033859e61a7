import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderGuide } from '../../gateway/docs/markdown.ts';
import { services } from '../../spec/documents/services.ts';
import { buildTestApp, sharedByTests } from '../helper.ts';
import { openStub } from '../stubs/partner.ts';
import { expectTextPage } from './text-page.ts';

const names = globSync('**/*.md', {
  cwd: new URL('../../docs/', import.meta.url),
  exclude: ['decisions/**', 'spec/**', 'fr/**'],
}).map((name) => name.slice(0, -3));

const served = {
  page: 'ci',
  guides: new Set(['partners', 'partners/faults', 'ci']),
  images: new Set(['console/overview.png']),
  root: '/docs/guides',
  folder: '',
  table: 'Table',
};
const html = (text: string, page = 'ci') => renderGuide(text, { ...served, page }).html;

const shared = sharedByTests((atEnd) => buildTestApp({ demo: false, atEnd }));

test('the API documents are where refusals and mismatches say', async () => {
  for (const { document } of Object.values(services)) {
    const reply = await shared().call('GET', `/docs/${document}`);
    expect([reply.status, reply.text]).toEqual([200, readFileSync(new URL(`../../docs/${document}`, import.meta.url), 'utf8')]);
  }
});

test.for(['/docs/guides', '/docs/guides/fr'])(
  '%s lists every guide, and every link of every page leads somewhere',
  async (root) => {
    const pages = new Map<string, { text: string; ids: Set<string | undefined> }>();
    const read = async (address: string) => {
      const before = pages.get(address);
      if (before) return before;
      const reply = await shared().call('GET', address);
      expect([address, reply.status]).toEqual([address, 200]);
      if (String(reply.headers['content-type']).startsWith('text/html') && address !== '/docs') expectTextPage(reply);
      const page = { text: reply.text, ids: new Set([...reply.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)) };
      pages.set(address, page);
      return page;
    };
    const { text: index } = await read(root);
    for (const name of names) expect(index).toContain(`href="${root}/${name}"`);
    for (const address of [root, `${root}/search?q=429`, ...names.map((name) => `${root}/${name}`)]) {
      const { text } = await read(address);
      const linked = [...text.matchAll(/<(?:a|img) [^>]*(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
      const own = linked.filter((link) => /^(#|\/docs)/.test(link)).map((link) => (link.startsWith('#') ? address + link : link));
      const broken: string[] = [];
      for (const link of own) {
        const [page = '', anchor] = link.split('#');
        const { ids } = await read(page);
        if (anchor !== undefined && !ids.has(anchor)) broken.push(link);
      }
      expect({ address, broken }).toEqual({ address, broken: [] });
    }
  },
);

test('a page has the pages of its guide below the headings of the first one, its own contents, and its neighbours', async () => {
  const { text } = await shared().call('GET', '/docs/guides/partners/start-node');
  expect(text).toContain('<li><strong>Start</strong></li><li><a href="/docs/guides/partners/start-node" aria-current="page">');
  expect(text).toContain('<strong>On this page</strong></li><li><a href="#1-start-the-stub">1. Start the stub</a></li>');
  expect(text).toContain('<a href="/docs/guides/partners" rel="prev"><small>Previous page</small>Guide for partners</a>');
  expect(text).toContain('<a href="/docs/guides/partners/tour" rel="next"><small>Next page</small>A tour of the stub</a>');
  expect((await shared().call('GET', '/docs/guides/faq')).text).not.toContain('rel="next"');
});

test('a search finds sections, and takes anything as a question', async () => {
  const found = async (query: string) => {
    const { status, text } = await shared().call('GET', `/docs/guides/search?${query}`);
    expect([query, status]).toEqual([query, 200]);
    return [...text.matchAll(/<li><a href="\/docs\/guides\/([^"]+)"><b>/g)].map(([, address]) => address);
  };
  expect((await found('q=rotate+secret')).slice(0, 2)).toEqual([
    'partners/your-webhooks#rotate-the-secret',
    'partners/receive-webhooks#rotate-the-secret',
  ]);
  expect(await found('q=429')).toContain('partners/calls-and-limits#limits');
  expect(await found('q=Idempotency-Key')).toContain('troubleshooting#a-refused-call');
  // One letter is wrong, and one word is on no page.
  expect((await found('q=signatre'))[0]).toContain('signature');
  expect(await found('q=zzzzzz+signature')).not.toEqual([]);
  for (const query of ['', 'q=', 'q=a&q=b', `q=${'x'.repeat(9000)}`, 'q=%00', 'q=%3Cb%3E', `q=${'x'.repeat(99)}%F0%9F%98%80`])
    expect(await found(query)).toEqual([]);
  for (const query of ['q=%ED%A0%80', 'q=%F0', 'q[]=a']) await found(query);
});

test('a search says how many it shows, asks for a word, and marks nothing but the words that match', async () => {
  const read = async (query: string, root = '/docs/guides') => (await shared().call('GET', `${root}/search?q=${query}`)).text;
  expect(await read('secret')).toMatch(/<p role="status">The first 20 of \d+ sections for “secret”<\/p>/);
  expect(await read('secret', '/docs/guides/fr')).toMatch(/Les 20 premières de \d+ sections pour « secret »/);
  for (const blank of ['', '+++']) expect(await read(blank)).toContain('<p role="status">Type a word of what you look for.</p>');
  expect(new Set((await read('429')).match(/<mark>.*?<\/mark>/g))).toEqual(new Set(['<mark>429</mark>']));
  expect(await read('phpunit')).toContain('vendor/bin/<mark>phpunit</mark>');
});

test('what is translated comes first in a search', async () => {
  const found = async (query: string) =>
    (await shared().call('GET', `/docs/guides/fr/search?q=${query}`)).text.match(/<li><a .*?<\/li>/g) ?? [];
  const [first = '', ...others] = await found('Guzzle');
  expect(first).toMatch(/fr\/partners\/.*<mark>Guzzle<\/mark>/);
  expect(others.some((one) => one.includes('href="/docs/guides/fr/evidence'))).toBe(true);
  expect((await found('cl%C3%A9')).join()).toMatch(/<mark>clés<\/mark>/);
});

test('a page without a translation is shown in English, and says so', async () => {
  const { text } = await shared().call('GET', '/docs/guides/fr/alerts');
  expect(text).toContain('<html lang="fr">');
  expect(text).toMatch(/<main id="main" lang="en">[\s\S]*<p class="note" lang="fr">Cette page n’est pas encore traduite/);
  expect(text).toContain('<a href="/docs/guides/alerts" lang="en" hreflang="en">English</a>');
  expect((await shared().call('GET', '/docs/guides/fr/none')).status).toBe(404);
});

test('a slash more or capitals lead to the page; another address suggests the nearest, and offers a search', async () => {
  for (const [path, page] of [
    ['partners/probe/', 'partners/probe'],
    ['Partners/PROBE', 'partners/probe'],
    ['FR/partners/', 'fr/partners'],
    ['search/?q=Clé', 'search?q=Clé'],
  ] as const) {
    const { status, headers } = await shared().call('GET', encodeURI(`/docs/guides/${path}`));
    expect([path, status, headers.location]).toEqual([path, 308, encodeURI(`/docs/guides/${page}`)]);
  }
  const { status, text } = await shared().call('GET', '/docs/guides/fr/partners/prob');
  expect(status).toBe(404);
  expect(text).toContain('Vouliez-vous dire <a href="/docs/guides/fr/partners/probe">');
  expect(text).toMatch(/<main[\s\S]*<form role="search" action="\/docs\/guides\/fr\/search">[\s\S]*<\/main>/);
  expect(text).toContain('<a href="/docs/guides" lang="en" hreflang="en">');
  expect((await shared().call('GET', '/docs/guides/zzzzzzzzzzzz')).text).not.toContain('Did you mean');
});

test('agents get a list of all guides, with links to their Markdown', async () => {
  const list = await shared().call('GET', '/docs/guides/llms.txt');
  const links = [...list.text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  expect(links.toSorted()).toEqual(names.map((name) => `${name}.md`).toSorted());
  const page = await shared().call('GET', `/docs/guides/${links[0]}`);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(page.text).toMatch(/^# /);
});

test('only guides and images of docs/ are served', async () => {
  const image = await shared().call('GET', '/docs/guides/console/overview.png');
  expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
  for (const path of [
    'README',
    '..%2fREADME',
    '..%2f..%2fpackage.json',
    'decisions',
    'decisions/README',
    'partners/..%2f..%2fREADME',
    'console/..%2fpartners.md',
    'decisions/README.md',
    'spec/point-of-sale.md',
    'console/no.png',
  ]) {
    const reply = await shared().call('GET', `/docs/guides/${path}`);
    expect([path, reply.status]).toEqual([path, 404]);
  }
});

test('a stub serves the guides too, without a call in its journal', async () => {
  const stub = await openStub('cohesion');
  expect((await fetch(`${stub.url}/docs/guides/${names[0]}`)).status).toBe(200);
  expect(stub.calls()).toEqual([]);
});

test('the title is the first heading, the summary the first paragraph', () => {
  expect(renderGuide('# For `partners`\n\nStart *here*.\n\nMore.', served)).toMatchObject({
    title: 'For <code>partners</code>',
    plainTitle: 'For partners',
    summary: '<p>Start <em>here</em>.</p>\n',
  });
});

test('HTML is shown as text; comments are left out', () => {
  expect(html('<script>alert(1)</script>\n\nA <img src=x onerror=alert(1)> B <!-- hidden --> C\n\n<!-- walk: 1 -->')).toBe(
    '&lt;script&gt;alert(1)&lt;/script&gt;<p>A &lt;img src=x onerror=alert(1)&gt; B  C</p>\n',
  );
});

test('links between guides and to images lead to their pages; a link to a file that is not served is text', () => {
  expect(html('[a](ci.md) [b](./partners.md#faults) [c](#here) [d](/docs/gaps) [e](https://example.org/?a=1&b=2)')).toBe(
    '<p><a href="/docs/guides/ci">a</a> <a href="/docs/guides/partners#faults">b</a> <a href="#here">c</a> <a href="/docs/gaps">d</a> ' +
      '<a href="https://example.org/?a=1&amp;b=2">e</a></p>\n',
  );
  expect(html('[a](../ci.md#x) [b](faults.md) [c](../spec/faults.md) [d](../../ci.md)', 'partners/start')).toBe(
    '<p><a href="/docs/guides/ci#x">a</a> <a href="/docs/guides/partners/faults">b</a> c d</p>\n',
  );
  expect(html('![The overview](console/overview.png) ![Gone](console/gone.png)')).toBe(
    '<p><img src="/docs/guides/console/overview.png" alt="The overview"> Gone</p>\n',
  );
  expect(html('[a](../README.md) [`b`](decisions/001-store-port.md) [c](javascript:alert(1)) [d](//example.org)')).toBe(
    '<p>a <code>b</code> c d</p>\n',
  );
});

test('headings have the anchors that GitHub gives them', () => {
  const ids = [...html('## `POST /sales`: a sale\n## Éclair & co.\n## Same\n## Same').matchAll(/ id="([^"]*)"/g)].map(
    ([, id]) => id,
  );
  expect(ids).toEqual(['post-sales-a-sale', 'éclair--co', 'same', 'same-1']);
});

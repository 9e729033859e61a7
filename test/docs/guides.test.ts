import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderGuide } from '../../gateway/docs/markdown.ts';
import { buildTestApp } from '../helper.ts';
import { openStub } from '../stubs/partner.ts';
import { expectTextPage } from './text-page.ts';

const names = readdirSync(new URL('../../docs/', import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -3));

const served = { guides: new Set(['partners', 'ci']), images: new Set(['overview.png']) };
const html = (text: string) => renderGuide(text, served).html;

test('the index lists every guide, and every link of every guide leads somewhere', async () => {
  const gateway = await buildTestApp({ demo: false });
  const index = await gateway.call('GET', '/docs/guides');
  expectTextPage(index);
  for (const name of names) {
    expect(index.text).toContain(`href="/docs/guides/${name}"`);
    const page = await gateway.call('GET', `/docs/guides/${name}`);
    expectTextPage(page);
    const addresses = [...page.text.matchAll(/<(?:a|img) [^>]*(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
    const own = addresses.filter((address) => address.startsWith('#')).map((address) => address.slice(1));
    expect(own.filter((id) => !page.text.includes(` id="${id}"`))).toEqual([]);
    for (const address of new Set(addresses.filter((one) => one.startsWith('/docs/'))))
      expect([address, (await gateway.call('GET', address.split('#')[0] ?? '')).status]).toEqual([address, 200]);
  }
});

test('only guides and images of docs/ are served', async () => {
  const { call } = await buildTestApp({ demo: false });
  const image = await call('GET', '/docs/guides/console/overview.png');
  expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
  for (const path of [
    'README',
    '..%2fREADME',
    '..%2f..%2fpackage.json',
    'decisions',
    'console/..%2fpartners.md',
    'console/no.png',
  ]) {
    const reply = await call('GET', `/docs/guides/${path}`);
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

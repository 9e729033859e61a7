import { expect, test } from 'vitest';
import { gapsPage } from '../../gateway/docs/gaps.ts';
import { pages } from '../../gateway/docs/layout.ts';
import { type Gap, gaps } from '../../spec/gaps/gaps.ts';
import { notPlayed } from '../alternative-sets.ts';
import { buildTestApp } from '../helper.ts';
import { expectTextPage } from './text-page.ts';

const hostile = `<script>alert("1")</script>' & |`;
const gap: Gap = {
  id: 'pos.made-up',
  api: 'pos',
  section: `4. ${hostile}`,
  quote: hostile,
  question: hostile,
  choice: hostile,
  why: hostile,
  alternatives: [{ id: 'hostile', settledBy: 'client', text: hostile }],
  status: 'assumed',
};

test('the page shows every entry under its anchor', () => {
  const page = gapsPage(gaps);
  const anchors = [...page.matchAll(/<article id="([^"]+)">/g)].map(([, id]) => id);
  expect(anchors.toSorted()).toEqual(gaps.map(({ id }) => id).toSorted());
  expect(page).toContain(`${gaps.length} entries: `);
});

test('every link leads to an anchor of the page or to another page of /docs, and no id is used twice', () => {
  const page = gapsPage(gaps);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
  const known = [...ids.map((id) => `#${id}`), ...pages.map(({ path }) => path), '/docs/guides/search'];
  expect(links.filter((href) => !known.includes(href))).toEqual([]);
});

test('an alternative that no stub plays says why', () => {
  const page = gapsPage(gaps);
  expect(page).toContain(
    '<code>in-this-api</code>: Operations of this API that the document does not show. <em>(No stub plays it. No client can call operations whose paths and bodies no document shows.)</em>',
  );
  expect(page.match(/No stub plays it\./g)).toHaveLength(notPlayed.length);
});

test('text from the register is escaped', () => {
  const page = gapsPage([gap]).slice(gapsPage([gap]).indexOf('<body'));
  expect(page).not.toContain('<script');
  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; &amp; |';
  // Section (in the contents and as a heading), question, choice, why, alternative, quote.
  expect(page.split(escaped)).toHaveLength(8);
});

test('/docs/gaps runs its own script only', async () => {
  const gateway = await buildTestApp({ demo: false });
  expectTextPage(await gateway.call('GET', '/docs/gaps'));
});

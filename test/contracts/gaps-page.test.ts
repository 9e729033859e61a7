import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Gap, gaps } from '../../contracts/register/gaps.ts';
import { gapsMarkdown, gapsPage, gapsPagePolicy } from '../../gateway/manage/gaps/page.ts';

const hostile = `<script>alert("1")</script>' & | \`code\` [a](b) *b* _c_`;
const gap: Gap = {
  id: 'pos.made-up',
  api: 'pos',
  section: `4. ${hostile}`,
  quote: hostile,
  question: hostile,
  choice: `two\nlines ${hostile}`,
  why: hostile,
  alternatives: [hostile],
  status: 'assumed',
};

test('the page shows every entry, under its anchor', () => {
  const page = gapsPage(gaps);
  const anchors = [...page.matchAll(/<article id="([^"]+)">/g)].map(([, id]) => id);
  expect(anchors.toSorted()).toEqual(gaps.map(({ id }) => id).toSorted());
  expect(page).toContain(`${gaps.length} entries: `);
});

test('every link of the page leads somewhere in it, and no id is there twice', () => {
  const page = gapsPage(gaps);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  expect(page).not.toMatch(/href="[^#]/);
});

test('text from the register is never markup', () => {
  const page = gapsPage([gap]);
  expect(page).not.toContain('<script');
  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; &amp; |';
  // Section (in the contents and as a heading), question, choice, why, alternative, quote.
  expect(page.split(escaped)).toHaveLength(8);
});

test('the page runs nothing, and its policy allows its own style sheet only', () => {
  const page = gapsPage(gaps);
  const styles = [...page.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) =>
    createHash('sha256').update(style).digest('base64'),
  );
  expect(styles).toHaveLength(1);
  expect(gapsPagePolicy).toContain(`style-src 'sha256-${styles[0]}'`);
  expect(gapsPagePolicy).toContain("default-src 'none'");
  expect(page).not.toMatch(/ style="| on[a-z]+="|<script|<link/);
});

test('in Markdown each entry is one row of four cells, whatever it holds', () => {
  const markdown = gapsMarkdown([gap]);
  const row = markdown.split('\n').at(-1) as string;
  expect(row.startsWith('| [pos.made-up](/docs/gaps#pos.made-up) |')).toBe(true);
  expect(row.split(/(?<!\\)\|/)).toHaveLength(6);
  expect(row).toContain('two lines \\<script\\>');
  expect(row).toContain('\\`code\\` \\[a\\](b) \\*b\\* \\_c\\_');
});

test('Markdown has a table for each API that has entries', () => {
  const headings = (of: readonly Gap[]) => gapsMarkdown(of).match(/^### .*$/gm);
  expect(headings(gaps)).toEqual([
    '### Choices where the document is silent: Point of Sale',
    '### Choices where the document is silent: Social Cohesion',
  ]);
  expect(headings([gap])).toEqual(['### Choices where the document is silent: Point of Sale']);
  expect(gapsMarkdown(gaps).match(/^\| \[/gm)).toHaveLength(gaps.length);
});

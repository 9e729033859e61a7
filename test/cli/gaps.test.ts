import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findGaps, gapsCommand, gapsText } from '../../cli/gaps.ts';
import { gapsMarkdown } from '../../cli/gaps-markdown.ts';
import { viewGap } from '../../spec/gaps/gap.ts';
import { type Gap, gaps } from '../../spec/gaps/gaps.ts';
import { fileWith, runCommand } from '../program.ts';

const list = (args: string[]) => runCommand(gapsCommand(), args);

test('the register is printed as JSON, Markdown or text', async () => {
  const json = await list(['--json']);
  expect(JSON.parse(json.stdout)).toEqual(gaps.map(viewGap));
  const file = await fileWith('', 'gaps.md');
  await list(['pos', '--output', file]);
  const markdown = await readFile(file, 'utf8');
  expect(markdown).toBe(gapsMarkdown(gaps.filter(({ api }) => api === 'pos')));
  expect(markdown).not.toContain('](');
  const text = await list([]);
  for (const { id } of gaps) expect(text.stdout).toContain(id);
  expect(text.stdout).toContain(`${gaps.length} gaps`);
});

test('a search finds entries that contain every word; no match is an error', async () => {
  const found = findGaps(gaps, { search: 'Webhook RETRIES' });
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(['pos.webhook-retries', 'cohesion.webhook-retries']));
  expect(found.length).toBeLessThan(gaps.length / 2);
  expect(findGaps(gaps, { provider: 'cohesion', search: 'currency' }).every(({ api }) => api === 'cohesion')).toBe(true);
  expect(JSON.parse((await list(['--search', 'no-such-word', '--json'])).stdout)).toEqual([]);
  expect(await list(['--search', 'no-such-word'])).toMatchObject({ code: 2, stdout: '' });
  const { code, stderr } = await list(['pos', '--json', 'gaps.json']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--output gaps.json')]);
});

test('words without --search are searched, and an alternative that no stub plays says so', async () => {
  expect((await list(['pos.sale-status', '--json'])).stdout).toBe((await list(['--search', 'pos.sale-status', '--json'])).stdout);
  const text = gapsText(findGaps(gaps, { search: 'pos.auth-path' }), { width: 200, colors: false });
  expect(text).toContain('(below-base-only; no stub plays it)');
  expect(text).toContain('(beside-only)');
});

test('text fits its width', () => {
  for (const line of gapsText(gaps, { width: 60, colors: false }).split('\n')) expect([...line].length).toBeLessThanOrEqual(72);
});

test('in Markdown each entry is one row of four cells, with any text', () => {
  const hostile = `<script>alert("1")</script>' & | \`code\` [a](b) *b* _c_`;
  const gap = { ...(gaps[0] as Gap), id: 'pos.made-up', question: hostile, choice: `two\nlines ${hostile}` };
  const row = gapsMarkdown([gap]).split('\n').at(-1) as string;
  expect(row.startsWith('| `pos.made-up` |')).toBe(true);
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
  expect(headings(gaps.slice(0, 1))).toEqual(['### Choices where the document is silent: Point of Sale']);
  expect(gapsMarkdown(gaps).match(/^\| `/gm)).toHaveLength(gaps.length);
});

import { expect, test } from 'vitest';
import { findGaps, gapsCommand, gapsText } from '../../cli/gaps.ts';
import { gaps } from '../../contracts/register/gaps.ts';
import { gapsMarkdown } from '../../gateway/manage/gaps/page.ts';
import { passerelle, runCommand } from '../program.ts';

const list = (args: string[]) => runCommand(gapsCommand(), args);

test('the register is printed as JSON, Markdown or text', async () => {
  const json = await passerelle(['gaps', '--json']);
  expect(JSON.parse(json.stdout)).toEqual(gaps);
  const markdown = await list(['--md', '--provider', 'pos']);
  expect(markdown.stdout).toBe(
    `${gapsMarkdown(
      gaps.filter(({ api }) => api === 'pos'),
      null,
    )}\n`,
  );
  expect(markdown.stdout).not.toContain('](');
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
});

test('text fits its width', () => {
  for (const line of gapsText(gaps, { width: 60, colors: false }).split('\n')) expect([...line].length).toBeLessThanOrEqual(72);
});

test('--md and --json exclude each other', async () => {
  expect((await list(['--md', '--json'])).code).toBe(2);
});

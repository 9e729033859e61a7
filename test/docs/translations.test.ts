import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fences, readGuide } from './guide.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync('fr/**/*.md', { cwd: join(root, 'docs') }).toSorted();

/** What a translation shares with its original: code, the depths of headings, and the sizes of tables. */
function skeleton(path: string) {
  const text = readGuide(path);
  const prose = text.replace(fences, '');
  return {
    code: text.match(fences) ?? [],
    headings: prose.match(/^#+ /gm),
    rows: prose.match(/^\|/gm)?.length,
  };
}

test('each page of the guide for partners is in French', () => {
  const originals = globSync('partners{.md,/*.md}', { cwd: join(root, 'docs') }).toSorted();
  expect(pages).toEqual(originals.map((name) => `fr/${name}`));
});

test.each(pages)('docs/%s has the code, headings and tables of its original', (page) => {
  const original = `docs/${page.replace('fr/', '')}`;
  expect(existsSync(join(root, original))).toBe(true);
  expect(skeleton(`docs/${page}`)).toEqual(skeleton(original));
});

test.each(pages)('docs/%s has no-break spaces where a line must not end', (page) => {
  const prose = readGuide(`docs/${page}`)
    .replace(fences, '')
    .replace(/`[^`\n]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']');
  expect(prose.match(/.{0,20}(?:[^\u00a0:\-|][:;!?»](?!\/\/)|«[^\u00a0])/g) ?? []).toEqual([]);
});

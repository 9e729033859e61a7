import { existsSync, globSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { anchorOf, readGuide } from './guide.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).sort();

/** Removes code blocks, because their contents are not links or headings. */
const proseOf = (page: string): string => readGuide(page).replace(/^```[\s\S]*?^```$/gm, '');

const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => anchorOf(title));

interface Link {
  page: string;
  target: string;
}

const links: Link[] = pages.flatMap((page) =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => ({ page, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target)),
);

/** Why a link does not work; undefined if it does. */
function brokenBecause({ page, target }: Link): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (file.startsWith('..')) return 'it leaves the repository';
  if (!existsSync(join(root, file)) || statSync(join(root, file)).isDirectory()) return `there is no file ${file}`;
  if (anchor !== undefined && !anchorsOf(file).includes(anchor)) return `${file} has no heading #${anchor}`;
  return undefined;
}

test('every relative link in README.md and docs/ leads to a file and heading that exist', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/partners/faults.md', 'docs/decisions/README.md']),
  );
  expect(links.length).toBeGreaterThan(60);
  const broken = links.flatMap((link) => {
    const why = brokenBecause(link);
    return why === undefined ? [] : [`${link.page}: ${link.target}: ${why}`];
  });
  expect(broken).toEqual([]);
});

/** Guides are also pages of the gateway and files of the npm package: there they reach each other and their pictures only. */
test('guides link only to guides and pictures', () => {
  const isGuide = (path: string) => /^docs\/.+\.md$/.test(path) && !/^docs\/(decisions|spec)\//.test(path);
  const outside = links.filter(({ page, target }) => {
    const path = normalize(join(dirname(page), target.split('#')[0] || basename(page)));
    return isGuide(page) && !isGuide(path) && !/^docs\/console\/[a-z-]+\.png$/.test(path);
  });
  expect(outside).toEqual([]);
});

const excluded = ['docs/decisions/**', 'docs/spec/**'];

test('no guide has more than 200 lines', () => {
  const guides = globSync('docs/**/*.md', { cwd: root, exclude: excluded });
  expect(guides.filter((page) => readGuide(page).split('\n').length > 201)).toEqual([]);
});

test('each guide links every page in its folder', () => {
  // Translations are reached from their originals, on the site.
  const guides = globSync('docs/*/*.md', { cwd: root, exclude: [...excluded, 'docs/fr/**'] });
  expect(guides.length).toBeGreaterThan(50);
  const linked = (page: string) =>
    links.some(
      (link) => link.page === `${dirname(page)}.md` && normalize(join('docs', link.target.split('#')[0] ?? '')) === page,
    );
  expect(guides.filter((page) => !linked(page))).toEqual([]);
});

/** A path in backticks, such as `gateway/app.ts`. A capital word stands for a name: `gateway/api/NAME/events.ts`. */
const pathPattern =
  /`((?:gateway|contracts|stubs|cli|clients|receivers|packaging|fixtures|bench|test|docs|examples)\/[\w./-]*)`/g;

test('every path that a page names exists', () => {
  const named = pages
    .filter((page) => !page.startsWith('docs/spec/') && page !== 'CHANGELOG.md')
    .flatMap((page) => [...proseOf(page).matchAll(pathPattern)].map(([, path = '']) => ({ page, path })));
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(({ path }) => {
    const pattern = path.replaceAll('NAME', '{pos,cohesion}');
    return pattern === path ? !existsSync(join(root, path)) : globSync(pattern, { cwd: root }).length === 0;
  });
  expect(missing).toEqual([]);
});

test('every decision that the sources or a page cite is there', () => {
  const code = globSync('{bench,cli,clients,contracts,gateway,install,packaging,probe,receivers,stubs,test}/**/*.{ts,tsx}', {
    cwd: root,
  });
  const numbers = (path: string, pattern: RegExp) => [...readGuide(path).matchAll(pattern)].map(([, number]) => number);
  const there = pages.flatMap((page) => numbers(page, /^## (\d{3}): /gm));
  const cited = [...code, ...pages].flatMap((path) => numbers(path, /decisions? (\d{3})/g).map((number) => ({ path, number })));
  expect(cited.length).toBeGreaterThan(0);
  expect(cited.filter(({ number }) => !there.includes(number))).toEqual([]);
});

test('README.md has at most 115 lines, and links every guide', () => {
  expect(readGuide('README.md').split('\n').length - 1).toBeLessThanOrEqual(115);
  const linked = links.filter(({ page }) => page === 'README.md').map(({ target }) => target.split('#')[0]);
  for (const guide of globSync('docs/*.md', { cwd: root })) expect(linked).toContain(guide);
});

test('every package version that a page names is the pinned one', () => {
  const { dependencies, devDependencies } = JSON.parse(readGuide('package.json')) as Record<string, Record<string, string>>;
  const pinned: Record<string, string> = { ...dependencies, ...devDependencies };
  const named = pages.flatMap((page) =>
    [...readGuide(page).matchAll(/(@[\w-]+\/[\w.-]+)@(\d+\.\d+\.\d+)/g)].map(([whole]) => whole),
  );
  // Guides also name tools that the package does not need.
  const ours = named.filter((one) => pinned[one.slice(0, one.lastIndexOf('@'))] !== undefined);
  expect(ours.length).toBeGreaterThan(0);
  for (const one of ours) {
    const name = one.slice(0, one.lastIndexOf('@'));
    expect(one).toBe(`${name}@${pinned[name]}`);
  }
});

import { expect, test } from 'vitest';
import { withoutDeadLinks } from '../../packaging/dead-links.ts';

const cleaned = (markdown: string) => withoutDeadLinks(markdown, (path) => ['ci.md', 'console/overview.png'].includes(path));

test('a link to a file that the package does not contain becomes its text; an image is removed', () => {
  expect(cleaned('A.\n\n![The limits](console/limits.png)\n\nB.')).toBe('A.\n\n\n\nB.');
  expect(cleaned('A.\n\n| | |\n|---|---|\n| ![B](b.png) | ![C](c.png) |\n\nD.\n')).toBe('A.\n\n\nD.\n');
  expect(cleaned('See [`http.ts`](../receivers/samples/http.ts) and [014](decisions/014-stubs.md#clock).')).toBe(
    'See `http.ts` and 014.',
  );
});

test('links to files of the package, to headings and to addresses stay', () => {
  const kept = '[CI](ci.md#jobs), [here](#here), [gaps](/docs/gaps), [RFC](https://example.org/a), ![View](console/overview.png)';
  expect(cleaned(kept)).toBe(kept);
});

test('code that looks like a link stays', () => {
  const code = '```js\nfinders[api](store);\n```\n';
  expect(cleaned(`${code}[gone](gone.md)\n${code}`)).toBe(`${code}gone\n${code}`);
});

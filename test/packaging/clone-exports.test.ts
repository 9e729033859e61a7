import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { documents, entries } from '../../packaging/contents.ts';

test('a clone that is installed by its path has the imports of the package', () => {
  const files = Object.entries({ ...entries, ...documents }).map(([name, file]) => [name, `./${file}`]);
  expect(manifest.exports).toEqual({ ...Object.fromEntries(files), './package.json': './package.json' });
});

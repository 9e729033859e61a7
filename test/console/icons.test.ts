import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { iconsFile, licenceFile, usedIcons } from '../../gateway/console/icon-names.ts';

const written = readFileSync(iconsFile, 'utf8');

test('the console has drawings of exactly the icons that its page imports: otherwise run npm run icons', () => {
  const drawn = [...written.matchAll(/^export const (\w+) = /gm)].map(([, name]) => name);
  expect(drawn.length).toBeGreaterThan(30);
  expect(drawn).toEqual(usedIcons());
});

test('the drawings name their source, and the licence is of the same version', () => {
  const [, version] = written.match(/@tabler\/icons (\d+\.\d+\.\d+): MIT licence, see LICENSE\.md/) ?? [];
  expect(readFileSync(licenceFile, 'utf8')).toMatch(`## @tabler/icons - ${version} (MIT)\n`);
});

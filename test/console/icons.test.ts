import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { iconsFile, usedIcons } from '../../gateway/console/icon-names.ts';
import { fontFolder, fontLicence, iconsLicence } from '../../gateway/console/licence-files.ts';

const written = readFileSync(iconsFile, 'utf8');

test('the console has drawings of exactly the icons that its page imports: otherwise run npm run icons', () => {
  const drawn = [...written.matchAll(/^export const (\w+) = /gm)].map(([, name]) => name);
  expect(drawn.length).toBeGreaterThan(30);
  expect(drawn).toEqual(usedIcons());
});

test('the drawings name their source, and the licence is of the same version', () => {
  const [, version] = written.match(/@tabler\/icons (\d+\.\d+\.\d+): MIT licence, see LICENSE\.md/) ?? [];
  expect(readFileSync(iconsLicence, 'utf8')).toMatch(`## @tabler/icons - ${version} (MIT)\n`);
});

test('the font is two subsets of one version under the Open Font License, and small', () => {
  const files = readdirSync(fontFolder).filter((name) => name.endsWith('.woff2'));
  expect(files.sort()).toEqual(['inter-latin-ext.woff2', 'inter-latin.woff2']);
  expect(files.reduce((bytes, name) => bytes + statSync(join(fontFolder, name)).size, 0)).toBeLessThan(140_000);
  expect(readFileSync(fontLicence, 'utf8')).toMatch(
    /^## @fontsource-variable\/inter - 5\.3\.0 \(OFL-1\.1\)\n[\s\S]*SIL OPEN FONT LICENSE/,
  );
});

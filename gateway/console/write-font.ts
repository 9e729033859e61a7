/**
 * `npm run font` writes the pages' font and its licence to page/font/. npm installs the package in a temporary folder: the pages
 * use two of its 28 files, Latin letters with and without rare accents.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPackage } from './fetched-package.ts';
import { fontFolder, fontLicence } from './licence-files.ts';

const [name, version] = ['@fontsource-variable/inter', '5.3.0'] as const;

withPackage(name, version, (file) => {
  for (const subset of ['latin', 'latin-ext'])
    copyFileSync(file(`files/inter-${subset}-wght-normal.woff2`), join(fontFolder, `inter-${subset}.woff2`));
  writeFileSync(fontLicence, `## ${name} - ${version} (OFL-1.1)\n\n${readFileSync(file('LICENSE'), 'utf8')}`);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
}

/** Returns the licence text of each package that these files belong to. Throws if a package names no licence. */
export function licencesOf(files: readonly string[]): string {
  const folders = [...new Set(files.map(packageFolder))];
  const texts = folders.map(licenceIn).sort();
  return `Passerelle contains these packages:\n\n${[...new Set(texts)].join('\n')}`;
}

function packageFolder(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    // Inner folders of a package may hold a package.json with only a module type.
    if (existsSync(join(folder, 'package.json')) && manifestIn(folder).version !== undefined) return folder;
    if (folder === dirname(folder)) throw new Error(`${file} belongs to no package.`);
  }
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function licenceIn(folder: string): string {
  const { name, version, license } = manifestIn(folder);
  if (license === undefined) throw new Error(`${name} ${version} names no licence: it must not be bundled.`);
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const text = file === undefined ? 'The package contains no licence text.' : readFileSync(join(folder, file), 'utf8').trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
}

/** The licences of the packages that these files are of, each once, as their authors want them to go along. */
export function licencesOf(files: readonly string[]): string {
  const folders = [...new Set(files.map(packageFolder))];
  const texts = folders.map(licenceIn).sort();
  return `Passerelle contains these packages:\n\n${[...new Set(texts)].join('\n')}`;
}

function packageFolder(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    // Some packages have a nameless package.json in their folders, which only says what kind of module lies there.
    if (existsSync(join(folder, 'package.json')) && manifestIn(folder).version !== undefined) return folder;
    if (folder === dirname(folder)) throw new Error(`${file} is of no package.`);
  }
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function licenceIn(folder: string): string {
  const { name, version, license } = manifestIn(folder);
  if (license === undefined) throw new Error(`${name} ${version} names no licence: may it be part of ours?`);
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const text = file === undefined ? 'Its package has no text of the licence.' : readFileSync(join(folder, file), 'utf8').trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}

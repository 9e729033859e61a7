import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What files import, as `tsc` writes it: files among them, and packages. */
export interface Reached {
  files: Set<string>;
  /** Packages by name, with the file that imports each first. */
  packages: Map<string, string>;
}

const imported =
  /^(?:import|export)\b[^'";=]*?\bfrom ["']([^"']+)["']|^import ["']([^"']+)["']|\bimport\(["']([\w@./-]+)["']\)/gm;

/** Follows imports from `starts` (static, dynamic and in types) through the files at `root`. */
export function reach(root: string, starts: readonly string[]): Reached {
  const reached: Reached = { files: new Set(), packages: new Map() };
  const waiting = [...starts];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.files.has(file)) continue;
    reached.files.add(file);
    if (file.endsWith('.json')) continue;
    for (const name of importsOf(join(root, file))) {
      if (!name.startsWith('.')) notePackage(reached, name, file);
      else waiting.push(target(root, file, name));
    }
  }
  return reached;
}

/** Comments are left out: examples in them import things too. */
function importsOf(path: string): string[] {
  const code = readFileSync(path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(imported)].map((match) => match.slice(1).find((name) => name !== undefined) ?? '');
}

function target(root: string, file: string, name: string): string {
  const path = join(dirname(file), name);
  const typed = path.replace(/\.[jt]s$/, '.d.ts');
  const found = file.endsWith('.d.ts') && existsSync(join(root, typed)) ? typed : path;
  if (!existsSync(join(root, found))) throw new Error(`${file} imports ${name}, which is not in ${root}.`);
  return found;
}

function notePackage({ packages }: Reached, name: string, file: string): void {
  if (name.startsWith('node:')) return;
  const parts = name.split('/').slice(0, name.startsWith('@') ? 2 : 1);
  const key = parts.join('/');
  if (!packages.has(key)) packages.set(key, file);
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files, packages and data that a set of compiled files needs. */
export interface Reached {
  files: Set<string>;
  /** Each imported package, with the first file that imports it. */
  packages: Map<string, string>;
  /** Files and folders that are read through `new URL(..., import.meta.url)`. */
  data: Set<string>;
}

const imported =
  /^(?:import|export)\b[^'";=]*?\bfrom ["']([^"']+)["']|^import ["']([^"']+)["']|\bimport\(["']([\w@./-]+)["']\)/gm;

const read = /\bnew URL\(["'](\.[^"']+)["'], import\.meta\.url\)/g;

/** Follows static, dynamic and type imports from `starts`. Paths are relative to `root`. Throws if an imported file is missing. */
export function reach(root: string, starts: readonly string[]): Reached {
  const reached: Reached = { files: new Set(), packages: new Map(), data: new Set() };
  const waiting = [...starts];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.files.has(file)) continue;
    reached.files.add(file);
    if (file.endsWith('.json')) continue;
    const code = withoutComments(readFileSync(join(root, file), 'utf8'));
    for (const [, path = ''] of code.matchAll(read)) reached.data.add(join(dirname(file), path));
    for (const name of importsIn(code)) {
      if (!name.startsWith('.')) notePackage(reached, name, file);
      else waiting.push(target(root, file, name));
    }
  }
  return reached;
}

/** Removes comments: their examples contain imports. */
const withoutComments = (code: string) => code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

const importsIn = (code: string) =>
  [...code.matchAll(imported)].map((match) => match.slice(1).find((name) => name !== undefined) ?? '');

function target(root: string, file: string, name: string): string {
  const path = join(dirname(file), name);
  const typed = path.replace(/\.[jt]s$/, '.d.ts');
  const found = file.endsWith('.d.ts') && existsSync(join(root, typed)) ? typed : path;
  if (!existsSync(join(root, found))) throw new Error(`${file} imports ${name}, which is not in ${root}.`);
  return found;
}

function notePackage({ packages }: Reached, name: string, file: string): void {
  if (name.startsWith('node:')) return;
  const key = packageOf(name);
  if (!packages.has(key)) packages.set(key, file);
}

/** Returns the package of an import: `@scope/b` for `@scope/b/deep`. */
export const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

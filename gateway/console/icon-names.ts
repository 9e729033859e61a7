import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, 'page');

/** The file of drawings, which `npm run icons` writes. */
export const iconsFile = join(page, 'parts/icons/tabler.ts');

export function usedIcons(): string[] {
  const files = globSync('{page,profile}/**/*.{ts,tsx}', { cwd: import.meta.dirname });
  const sources = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const imports = sources.flatMap((text) => [...text.matchAll(/^import \{([^}]*)\} from '[^']*\/icons\/tabler\.ts';$/gm)]);
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

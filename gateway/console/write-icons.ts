/**
 * `npm run icons` writes the drawings of the icons that the page imports, and their licence, to page/parts/icons/. They are
 * Tabler's. npm installs the whole set in a temporary folder: it takes 51 MB, and the page uses some forty of its drawings.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nearestOf } from '../base/nearest.ts';
import { iconsFile, licenceFile, usedIcons } from './icon-names.ts';

const [name, version] = ['@tabler/icons', '3.51.0'] as const;

type Drawing = [tag: string, attributes: { d?: string }][];

const scratch = mkdtempSync(join(tmpdir(), 'passerelle-icons-'));
try {
  const options = ['--no-audit', '--no-fund', '--loglevel=error', `--prefix=${scratch}`];
  execFileSync('npm', ['install', ...options, `${name}@${version}`], {
    cwd: scratch,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const read = (file: string) => readFileSync(join(scratch, 'node_modules', name, file), 'utf8');
  writeFileSync(iconsFile, drawings(JSON.parse(read('tabler-nodes-outline.json'))));
  writeFileSync(licenceFile, `## ${name} - ${version} (MIT)\n\n${read('LICENSE')}`);
} finally {
  rmSync(scratch, { recursive: true });
}

function drawings(set: Readonly<Record<string, Drawing>>): string {
  const byName = new Map(Object.entries(set).map(([key, drawing]) => [componentName(key), drawing]));
  const lines = usedIcons().map((used) => `export const ${used} = icon(${paths(used, byName).join(', ')});`);
  return [
    '// biome-ignore-all format: one line for each icon.',
    `// Written by npm run icons from ${name} ${version}: MIT licence, see LICENSE.md.`,
    "import { icon } from './icon.tsx';\n",
    ...lines,
    '',
  ].join('\n');
}

function paths(used: string, byName: ReadonlyMap<string, Drawing>): string[] {
  const drawing = byName.get(used);
  if (!drawing) throw new Error(`${name} has no ${used}. The nearest is ${nearestOf(used, [...byName.keys()])}.`);
  return drawing.map(([tag, { d, ...rest }]) => {
    if (tag !== 'path' || d === undefined || Object.keys(rest).length > 0) {
      throw new Error(`${used} has more than plain paths, which icon.tsx cannot draw. Choose another icon.`);
    }
    return `'${d}'`;
  });
}

/** `user-circle` is `IconUserCircle`. */
function componentName(key: string): string {
  return `Icon${key.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

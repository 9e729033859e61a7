/**
 * `npm run icons` writes the drawings of the icons that the page imports, and their licence, to page/parts/icons/. They are
 * Tabler's. npm installs the whole set in a temporary folder: it takes 51 MB, and the page uses some forty of its drawings.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { nearestOf } from '../base/nearest.ts';
import { withPackage } from './fetched-package.ts';
import { iconsFile, usedIcons } from './icon-names.ts';
import { iconsLicence } from './licence-files.ts';

const [name, version] = ['@tabler/icons', '3.51.0'] as const;

type Drawing = [tag: string, attributes: { d?: string }][];

withPackage(name, version, (file) => {
  const read = (path: string) => readFileSync(file(path), 'utf8');
  writeFileSync(iconsFile, drawings(JSON.parse(read('tabler-nodes-outline.json'))));
  writeFileSync(iconsLicence, `## ${name} - ${version} (MIT)\n\n${read('LICENSE')}`);
});

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

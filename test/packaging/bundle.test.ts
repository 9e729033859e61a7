import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundle } from '../../packaging/bundle.ts';
import { licencesOf } from '../../packaging/third-party.ts';
import { folderWith } from './folder.ts';

const greets = `import { readFileSync } from 'node:fs';
export const greeting = readFileSync(new URL('./greeting.txt', import.meta.url), 'utf8');`;
const ofPackage = (name: string, code: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.2.3', license: 'MIT', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
});

test('programs keep their paths, modules find their files, and packages are bundled except external ones', async () => {
  const { root, write } = folderWith({
    'package.json': '{ "type": "module" }',
    'deep/in/here.js': greets,
    'deep/in/greeting.txt': 'good day',
    'one.js': `import { greeting } from './deep/in/here.js'; import inside from 'inside'; import 'apart'; console.log('one', greeting, inside);`,
    'other/two.js': `import { greeting } from '../deep/in/here.js'; console.log('two', greeting, import.meta.main);`,
    ...ofPackage('inside', `module.exports = 'inside';`),
    'node_modules/inside/LICENSE': 'Do as you like.',
    ...ofPackage('apart', `console.log('apart');`),
  });
  const { files, imported, modules } = await bundle(root, ['one.js', 'other/two.js'], (name) => name === 'apart');
  for (const [path, code] of files) write(path, code);
  expect([...files.keys()].sort()).toEqual(['chunks/here.js', 'one.js', 'other/two.js']);
  expect([...imported]).toEqual([['apart', 'one.js']]);
  rmSync(join(root, 'node_modules/inside'), { recursive: true });
  const run = (path: string) => execFileSync(process.execPath, [join(root, path)], { encoding: 'utf8' });
  expect(run('one.js')).toBe('apart\none good day inside\n');
  expect(run('other/two.js')).toBe('two good day false\n');

  write('node_modules/inside/package.json', JSON.stringify({ name: 'inside', version: '1.2.3', license: 'MIT' }));
  write('node_modules/inside/LICENSE', 'Do as you like.');
  expect(licencesOf(modules)).toMatch(/inside 1\.2\.3 \(MIT\)\n\nDo as you like\.\n$/);
});

test('what a group loads is one file, and a light program reads only what it needs', async () => {
  const { root, write } = folderWith({
    'package.json': '{ "type": "module" }',
    'all.js': `if (process.argv[2] === 'heavy') await import('./heavy.js'); else await import('./light.js');`,
    'other.js': `import './parts/late.js';`,
    'light.js': `import { name } from './parts/names.js'; import './parts/own.js'; console.log('light', name);`,
    'heavy.js': `import { name } from './parts/names.js'; import { big } from './parts/big.js'; console.log('heavy', name, big); void import('./parts/late.js');`,
    'parts/names.js': `export const name = 'name';`,
    'parts/own.js': `console.log('own');`,
    'parts/big.js': `import { name } from './names.js'; export const big = name + ' big';`,
    'parts/late.js': `import { big } from './big.js'; console.log('late', big);`,
  });
  const groups = [
    { name: 'light', shared: true, loadedBy: ['light.js'] },
    { name: 'heavy', loadedBy: ['heavy.js'] },
  ];
  const { files } = await bundle(root, ['all.js', 'other.js'], () => false, groups);
  for (const [path, code] of files) write(path, code);
  const holds = (text: string) => [...files].filter(([, code]) => code.includes(text)).map(([path]) => path);
  expect(holds('name = "name"')).toEqual(['chunks/light.js']);
  expect(holds('" big"')).toEqual(['chunks/heavy.js']);
  // Nothing that only the light program loads is in the file that both read.
  expect(holds('"own"')).not.toContain('chunks/light.js');
  const run = (...args: string[]) =>
    execFileSync(
      process.execPath,
      args.map((one, at) => (at ? one : join(root, one))),
      { encoding: 'utf8' },
    );
  expect(run('all.js')).toBe('own\nlight name\n');
  expect(run('all.js', 'heavy')).toBe('heavy name name big\nlate name big\n');
  rmSync(join(root, 'chunks/heavy.js'));
  expect(run('all.js')).toBe('own\nlight name\n');
});

test('code that a bundle cannot keep is an error', async () => {
  const { root } = folderWith({
    'places.js': 'console.log(import.meta.dirname);',
    'missing.js': `import 'nowhere-to-be-found';`,
  });
  await expect(bundle(root, ['places.js'], () => false)).rejects.toThrow('import.meta.dirname');
  await expect(bundle(root, ['missing.js'], () => false)).rejects.toThrow('nowhere-to-be-found');
});

test('a package without a licence cannot be bundled', () => {
  const { root } = folderWith({ 'package.json': '{ "name": "secret", "version": "1.0.0" }', 'index.js': '' });
  expect(() => licencesOf([join(root, 'index.js')])).toThrow('secret 1.0.0 names no licence');
});

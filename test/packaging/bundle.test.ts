import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundle, bundleInOne } from '../../packaging/bundle.ts';
import { licencesOf } from '../../packaging/third-party.ts';

function folder(files: Record<string, string>): { root: string; write(path: string, text: string): void } {
  const root = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, write };
}

const greets = `import { readFileSync } from 'node:fs';
export const greeting = readFileSync(new URL('./greeting.txt', import.meta.url), 'utf8');`;
const ofPackage = (name: string, code: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.2.3', license: 'MIT', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
});

test('programs keep their paths, modules find their files, and packages are bundled except external ones', async () => {
  const { root, write } = folder({
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

test('one program becomes one CommonJS file, whose modules name their places below it', async () => {
  const { root, write } = folder({
    'package.json': '{ "type": "module" }',
    'cli/one.js': `import inside from 'inside'; void import('../deep/here.js').then(({ place }) => console.log(inside, place));`,
    'deep/here.js': `console.log('loaded late'); export const place = new URL('./data.txt', import.meta.url).href;`,
    ...ofPackage('inside', `module.exports = 'inside'; // such as import.meta.dirname`),
  });
  const { code, modules } = await bundleInOne(root, 'cli/one.js', () => false);
  expect(code).not.toMatch(/\bimport\(|import\.meta\.url/);
  expect(modules).toEqual([expect.stringMatching(/inside\/index\.js$/)]);
  write('elsewhere/main.cjs', code);
  const said = execFileSync(process.execPath, [join(root, 'elsewhere/main.cjs')], { encoding: 'utf8' });
  expect(said).toBe(`loaded late\ninside ${pathToFileURL(join(root, 'elsewhere/deep/data.txt')).href}\n`);
});

test('code that a bundle cannot keep is an error', async () => {
  const { root } = folder({
    'places.js': 'console.log(import.meta.dirname);',
    'missing.js': `import 'nowhere-to-be-found';`,
  });
  await expect(bundle(root, ['places.js'], () => false)).rejects.toThrow('import.meta.dirname');
  await expect(bundle(root, ['missing.js'], () => false)).rejects.toThrow('nowhere-to-be-found');
});

test('a package without a licence cannot be bundled', () => {
  const { root } = folder({ 'package.json': '{ "name": "secret", "version": "1.0.0" }', 'index.js': '' });
  expect(() => licencesOf([join(root, 'index.js')])).toThrow('secret 1.0.0 names no licence');
});

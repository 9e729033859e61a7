import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settings } from '../../gateway/start/config.ts';
import { root } from '../e2e/process.ts';

const text = (file: string) => readFileSync(join(root, file), 'utf8');

/** The contents of the image beside its packages, by the Dockerfile's last stage. */
const copied = [...text('Dockerfile').matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].flatMap(([, sources]) =>
  (sources ?? '').split(' '),
);

test('every variable that compose.yaml gives the gateway is a setting', () => {
  const block = text('compose.yaml').match(/^x-environment:.*\n((?: {2}.*\n)+)/m)?.[1] ?? '';
  const names = [...block.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
  const own = [...text('compose.yaml').matchAll(/<<: \*environment, ([A-Z_]+):/g)].map(([, name]) => name);
  expect(names).toContain('DATABASE_URL');
  expect(own).toEqual(['ROLE', 'ROLE', 'ROLE', 'ROLE']);
  expect([...names, ...own].filter((name) => !(String(name) in settings))).toEqual([]);
});

test('.env.example has exactly the variables that compose.yaml needs', () => {
  const needed = new Set([...text('compose.yaml').matchAll(/\$\{([A-Z_]+):/g)].map(([, name]) => name));
  const given = [...text('.env.example').matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name);
  expect(new Set(given)).toEqual(needed);
});

test('the image contains every file that the program needs, and .dockerignore excludes none of them', () => {
  const ignored = text('.dockerignore');
  for (const source of copied) expect(ignored).toContain(`!${source}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const source of globSync(copied, { cwd: root })) cpSync(join(root, source), join(folder, source), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Showing the help loads every module.
  const help = execFileSync(process.execPath, ['gateway/server.ts', '--help'], { cwd: folder, encoding: 'utf8' });
  expect(help).toContain('DATABASE_URL');
});

test('the stage that builds the pages has every file that they import from elsewhere', () => {
  const [, stage = ''] = /^FROM \S+ AS console\n(.*?)^FROM /ms.exec(text('Dockerfile')) ?? [];
  const sources = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '));
  expect(sources).toContain('gateway');
  const imports = globSync('gateway/console/{page,profile}/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
    [...text(file).matchAll(/ from '(\.[^']+)'/g)].map(([, from = '']) => join(dirname(file), from)),
  );
  const missing = imports.filter((file) => !sources.some((source) => file === source || file.startsWith(`${source}/`)));
  expect([...new Set(missing)]).toEqual([]);
});

test('the image installs every package that the program imports', () => {
  const { dependencies } = JSON.parse(text('package.json'));
  const files = execFileSync('git', ['ls-files', ...copied.filter((source) => !source.endsWith('.json'))], {
    cwd: root,
    encoding: 'utf8',
  });
  // The console is built in a separate stage. Of its sources the gateway runs only this one.
  const isRun = (file: string) => !file.startsWith('gateway/console/') || file === 'gateway/console/serve.ts';
  const sources = files.split('\n').filter((file) => file.endsWith('.ts') && !file.includes('write-') && isRun(file));
  const imports = sources.flatMap((file) =>
    [...text(file).matchAll(/^(?:import|export) .*?from '([^.'][^']*)';$/gms)].map(([, name]) => name),
  );
  const packages = new Set(
    imports.map((name = '') =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  );
  const missing = [...packages].filter(
    (name) => !(name in dependencies) && !name.startsWith('node:') && !builtinModules.includes(name),
  );
  expect(packages.size).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

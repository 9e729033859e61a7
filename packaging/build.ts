/**
 * Writes the package that is published to dist/: JavaScript and types of what its entries reach, the data they read, and a
 * package.json of its own. Then `npm pack` gives the tarball (pack.ts).
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copied, documents, entries, isLeftOut, started } from './contents.ts';
import { built, manifestOf, type RootManifest } from './manifest.ts';
import { reach } from './reach.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
compile();
run('gateway/console/build.ts', '--if-changed');
const programs = reach(
  dist,
  [...Object.values(entries), ...started].map((source) => built(source, '.js')),
);
const types = reach(
  dist,
  Object.values(entries).map((source) => built(source, '.d.ts')),
);
refuseTypeOnly();
prune(new Set([...programs.files, ...types.files, ...Object.values(documents)]));
for (const path of programs.data) copy(path);
for (const path of copied) copy(path);
cpSync(join(root, 'packaging/bin.js'), join(dist, 'cli/bin.js'));
chmodSync(join(dist, 'cli/bin.js'), 0o755);

compact();

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RootManifest;
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifestOf(manifest, programs.packages), null, 2)}\n`);

function copy(path: string): void {
  cpSync(join(root, path), join(dist, path), { recursive: true, filter: (source) => !isLeftOut(source, existsSync) });
}

/** A partner would install the whole of such a package for the name of a type. */
function refuseTypeOnly(): void {
  const [found] = [...types.packages].filter(([name]) => !programs.packages.has(name));
  if (found)
    throw new Error(`${found[1]} is among the public types, and only they need ${found[0]}: part it from what is public.`);
}

function compile(): void {
  run('node_modules/typescript/bin/tsc', '-p', join(root, 'packaging'));
}

function run(program: string, ...args: string[]): void {
  execFileSync(process.execPath, [join(root, program), ...args], { stdio: 'inherit' });
}

/** `tsc` also writes what only types need, and the types of everything: a partner needs neither. */
function prune(kept: ReadonlySet<string>): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path.slice(dist.length + 1))) rmSync(path);
  }
}

/** Documents without the white space that makes them easy to read: half their size. */
function compact(): void {
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))) {
    const file = join(dist, path);
    writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
  }
}

/**
 * Builds the published package in dist/: the programs bundled with the packages they need, their public types, the data
 * they read, and its own package.json. `npm pack ./dist` makes the tarball.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parts } from '../contracts/tools/parts.ts';
import { bundle } from './bundle.ts';
import { apart, copied, documents, entries, groups, isLeftOut, started } from './contents.ts';
import { withoutDeadLinks } from './dead-links.ts';
import { built, manifestOf, type RootManifest } from './manifest.ts';
import { reach } from './reach.ts';
import { licencesOf } from './third-party.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RootManifest;

rmSync(dist, { recursive: true, force: true });
run('packaging/make.ts', '--if-changed');
run('packaging/write-types.ts');
run('node_modules/.bin/tsc', '-p', join(root, 'packaging'));
const programs = [...Object.values(entries), ...started].map((source) => built(source, '.js'));
const { data, packages } = reach(dist, programs);
const types = reach(
  dist,
  Object.values(entries).map((source) => built(source, '.d.ts')),
);
refuseUndeclared();
const { files, imported, modules } = await bundle(
  dist,
  programs,
  (name) => name in parts || apart.has(name),
  groups.map((group) => ({ ...group, loadedBy: group.loadedBy.map((source) => built(source, '.js')) })),
);
prune(types.files);
for (const [path, code] of files) write(path, code);
for (const path of [...data, ...Object.values(documents), ...copied]) copy(path);
for (const path of readdirSync(root).filter((name) => /^(README|LICENSE|CHANGELOG)\b/.test(name))) copy(path);
for (const path of globSync(['*.md', 'docs/**/*.md'], { cwd: dist })) cutDeadLinks(path);
write('THIRD-PARTY-LICENSES.txt', licencesOf(modules));
cpSync(join(root, 'packaging/bin.js'), join(dist, 'cli/bin.js'));
chmodSync(join(dist, 'cli/bin.js'), 0o755);
compact();
write('package.json', `${JSON.stringify(manifestOf(manifest, imported), null, 2)}\n`);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), text);
}

function copy(path: string): void {
  cpSync(join(root, path), join(dist, path), { recursive: true, filter: (source) => !isLeftOut(source, existsSync) });
}

/** Guides, README and CHANGELOG link to files that are in the repository only: those links become plain text. */
function cutDeadLinks(path: string): void {
  const place = dirname(join(dist, path));
  write(
    path,
    withoutDeadLinks(readFileSync(join(dist, path), 'utf8'), (target) => existsSync(join(place, target))),
  );
}

/** Throws if a bundled package has no pinned version, or if public types name a package that partners do not install. */
function refuseUndeclared(): void {
  for (const [name, file] of packages)
    if (!(name in manifest.dependencies)) throw new Error(`${file} imports ${name}: add it to the dependencies in package.json.`);
  for (const [name, file] of types.packages)
    if (!apart.has(name))
      throw new Error(`${file} is a public type that imports ${name}: partners would have to install it. Use a plain interface.`);
}

function run(program: string, ...args: string[]): void {
  execFileSync(process.execPath, [join(root, program), ...args], { stdio: 'inherit' });
}

/** Deletes every file that `tsc` wrote except the public types: the programs are bundled. */
function prune(kept: ReadonlySet<string>): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path.slice(dist.length + 1))) rmSync(path);
  }
}

/** Removes the indentation from JSON files, which halves their size. */
function compact(): void {
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))) {
    const file = join(dist, path);
    writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
  }
}

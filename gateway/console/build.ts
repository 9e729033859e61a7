/**
 * Builds the console to gateway/console/built, with compressed copies of its files, and prints its size. With
 * --if-changed it does nothing if the sources have not changed, or if Vite is not installed (`npm ci --omit=dev`): the
 * gateway also runs without the console.
 */
import { hash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { hasPackage } from '../base/has-package.ts';

const { values } = parseArgs({ options: { 'if-changed': { type: 'boolean', default: false } } });
const root = join(import.meta.dirname, '../..');
const built = join(import.meta.dirname, 'built');
const stampFile = join(built, 'sources.sha256');

const stamp = sourcesHash();
const changed = !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp;
if (!values['if-changed'] || (changed && canBuild())) await build();

function canBuild(): boolean {
  if (hasPackage('vite')) return true;
  process.stderr.write('The console is out of date and was not built: Vite is not installed. Run npm ci without --omit=dev.\n');
  return false;
}

async function build(): Promise<void> {
  const [vite, { pageBuild }] = await Promise.all([import('vite'), import('./vite.config.ts')]);
  await vite.build(pageBuild);
  compress();
  writeFileSync(stampFile, stamp);
  process.stderr.write(`Built the console: ${sizes()}\n`);
}

/** A hash of everything the console is built from: its files, its imports from elsewhere and its libraries' versions. */
function sourcesHash(): string {
  const files = [
    'gateway/console/**/*.{ts,tsx,css,html,svg}',
    'gateway/http/record/curl.ts',
    'clients/generated/manage.ts',
    'package-lock.json',
  ]
    .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['gateway/console/built/**'] }))
    .sort();
  return hash('sha256', files.map((file) => `${file} ${hash('sha256', readFileSync(join(root, file)))}`).join('\n'));
}

function compress(): void {
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    // index.html is not compressed: each response contains its own nonce.
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = join(built, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

function sizes(): string {
  const kilobytes = (suffix: RegExp) => {
    const names = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => suffix.test(name));
    return Math.round(names.reduce((sum, name) => sum + statSync(join(built, name)).size, 0) / 1000);
  };
  return `${kilobytes(/\.js$/)} kB of scripts (${kilobytes(/\.js\.br$/)} kB with brotli), ${kilobytes(/\.css$/)} kB of styles (${kilobytes(/\.css\.br$/)} kB).`;
}

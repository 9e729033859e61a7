/**
 * Builds the operator's page to gateway/console/built, each text also compressed, and says how large it is. With
 * --if-changed it does nothing where the built page is of the very sources that are there, nor where what builds it is not
 * installed (`npm ci --omit=dev`): the gateway runs without its page too.
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
  process.stderr.write('The console is not built as its sources say: vite is not installed (npm ci, without --omit=dev).\n');
  return false;
}

async function build(): Promise<void> {
  const [vite, { pageBuild }] = await Promise.all([import('vite'), import('./vite.config.ts')]);
  await vite.build(pageBuild);
  compress();
  writeFileSync(stampFile, stamp);
  process.stderr.write(`The console is built: ${sizes()}\n`);
}

/** Of what goes into the page: its own files, what it imports from beside it, and the versions of its libraries. */
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
    // index.html is written anew for each reply: it carries the nonce.
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
  return `${kilobytes(/\.js$/)} kB of scripts (${kilobytes(/\.js\.br$/)} kB as sent with brotli), ${kilobytes(/\.css$/)} kB of styles (${kilobytes(/\.css\.br$/)} kB).`;
}

/**
 * Builds the console and the profile to gateway/console/built, with compressed copies of their files, and prints their sizes.
 * With --if-changed it does nothing if the sources have not changed, or if Vite is not installed (`npm ci --omit=dev`): the
 * gateway also runs without these pages.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { hasPackage } from '../base/has-package.ts';
import { hashFiles, isStamped } from '../base/hash-files.ts';
import { fontLicence, iconsLicence } from './licence-files.ts';
import type { PageName } from './vite.config.ts';

const { values } = parseArgs({ options: { 'if-changed': { type: 'boolean', default: false } } });
const root = join(import.meta.dirname, '../..');
const built = join(import.meta.dirname, 'built');
const stampFile = join(built, 'sources.sha256');

const stamp = sourcesHash();
if (!values['if-changed'] || (!isStamped(stampFile, stamp) && canBuild())) await build();

function canBuild(): boolean {
  if (hasPackage('vite')) return true;
  process.stderr.write('The console is out of date and was not built: Vite is not installed. Run npm ci without --omit=dev.\n');
  return false;
}

async function build(): Promise<void> {
  // Under a test runner it is `test`, and the pages would be built for development, with the paths of this machine.
  process.env.NODE_ENV = 'production';
  const [vite, { pageBuild, pages }] = await Promise.all([import('vite'), import('./vite.config.ts')]);
  rmSync(built, { recursive: true, force: true });
  for (const name of Object.keys(pages) as PageName[]) {
    const folder = join(built, name);
    await vite.build(pageBuild(name));
    for (const licence of [iconsLicence, fontLicence])
      appendFileSync(join(folder, 'licenses.txt'), `\n${readFileSync(licence, 'utf8')}`);
    compress(folder);
    process.stderr.write(`Built the ${name}: ${sizes(folder)}\n`);
  }
  writeFileSync(stampFile, stamp);
}

/** A hash of everything the pages are built from: their files, imports from elsewhere and the libraries' versions. */
function sourcesHash(): string {
  const sources = [
    'gateway/console/**/*.{ts,tsx,css,html,svg,md,woff2}',
    'gateway/{base,webhooks/model}/**/*.ts',
    'gateway/http/record/curl.ts',
    'spec/types/filters.ts',
    'spec/documents/{plans,services}.ts',
    'package-lock.json',
  ];
  return hashFiles(root, sources, ['gateway/console/built/**']);
}

function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    // index.html is not compressed: each response contains its own nonce.
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

function sizes(folder: string): string {
  const kilobytes = (suffix: RegExp) => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => suffix.test(name));
    return Math.round(names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1000);
  };
  return `${kilobytes(/\.js$/)} kB of scripts (${kilobytes(/\.js\.br$/)} kB with brotli), ${kilobytes(/\.css$/)} kB of styles (${kilobytes(/\.css\.br$/)} kB).`;
}

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Returns the program `bin` of a package in this version. */
export async function install(cache: string, name: string, version: string, bin: string): Promise<string> {
  const home = await installPackage(cache, name, version);
  const { bin: bins } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { bin: Record<string, string> | string };
  return join(home, typeof bins === 'string' ? bins : (bins[bin] as string));
}

/** Returns the folder of a package in this version. Installs it once, into its own folder under `cache`. */
export async function installPackage(cache: string, name: string, version: string): Promise<string> {
  const folder = join(cache, `${name.replaceAll(/[@/]/g, '-')}-${version}`);
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    process.stderr.write(`installing ${name}@${version} into ${folder}\n`);
    const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...quietly, `${name}@${version}`], { cwd: folder });
    writeFileSync(done, '');
  }
  return join(folder, 'node_modules', name);
}

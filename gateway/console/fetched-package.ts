import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Installs a package in a temporary folder, calls `use` with the path of its files there, and deletes it again. */
export function withPackage(name: string, version: string, use: (file: (path: string) => string) => void): void {
  const scratch = mkdtempSync(join(tmpdir(), 'passerelle-package-'));
  try {
    const options = ['--no-audit', '--no-fund', '--loglevel=error', `--prefix=${scratch}`];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], {
      cwd: scratch,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    use((path) => join(scratch, 'node_modules', name, path));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds the console and the profile, which gateways and stubs of the tests serve, if their sources have changed. */
export default function buildPages(): void {
  execFileSync(process.execPath, ['packaging/make.ts', '--if-changed'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

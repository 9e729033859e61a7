import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds the console and the profile, which gateways and stubs of the tests serve, if their sources have changed. */
export default function buildPages(): void {
  const build = join(import.meta.dirname, '../gateway/console/build.ts');
  execFileSync(process.execPath, [build, '--if-changed'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

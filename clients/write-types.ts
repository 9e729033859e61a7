/**
 * Writes the types of the clients and the console from the OpenAPI documents to clients/generated. With --check it only
 * compares them, and exits with 1 if a committed file is out of date.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, relative } from 'node:path';
import { parseArgs } from 'node:util';

// openapi-typescript needs the compiler API of TypeScript 5, which TypeScript 7 lacks: npm exec installs both.
const generator = ['--yes', '--package=openapi-typescript@7.13.0', '--package=typescript@5.9.3', '--', 'openapi-typescript'];
// A field with a default stays optional for the caller.
const options = ['--default-non-nullable=false'];

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'passerelle-clients-'));

const outdated: string[] = [];
for (const { name: api } of globSync('contracts/openapi/*.json', { cwd: root }).map(parse)) {
  const committed = join(root, 'clients/generated', `${api}.ts`);
  const written = values.check ? join(scratch, `${api}.ts`) : committed;
  const document = join(root, 'contracts/openapi', `${api}.json`);
  // In the scratch folder npm does not find our package.json with TypeScript 7.
  execFileSync('npm', ['exec', ...generator, document, '-o', written, ...options], {
    cwd: scratch,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (values.check && read(committed) !== read(written)) outdated.push(relative(root, committed));
}
rmSync(scratch, { recursive: true });

if (outdated.length > 0) {
  process.stderr.write(`out of date: ${outdated.join(', ')}. Run npm run clients and commit what it wrote.\n`);
  process.exitCode = 1;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

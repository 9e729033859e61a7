/**
 * Writes the types of the clients and the console, and the filters of the console's lists, from the OpenAPI documents to
 * spec/types. With --check it only compares them, and exits with 1 if a committed file is out of date.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
for (const { name: api } of globSync('spec/openapi/*.json', { cwd: root }).map(parse)) {
  const document = join(root, 'spec/openapi', `${api}.json`);
  // In the scratch folder npm does not find our package.json with TypeScript 7.
  const write = (file: string) =>
    execFileSync('npm', ['exec', ...generator, document, '-o', file, ...options], {
      cwd: scratch,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  writeOrCompare(`${api}.ts`, write);
}
writeOrCompare('filters.ts', (file) => writeFileSync(file, listFilters()));
rmSync(scratch, { recursive: true });

if (outdated.length > 0) {
  process.stderr.write(`out of date: ${outdated.join(', ')}. Run npm run clients and commit what it wrote.\n`);
  process.exitCode = 1;
}

function writeOrCompare(name: string, write: (file: string) => void): void {
  const committed = join(root, 'spec/types', name);
  const written = values.check ? join(scratch, name) : committed;
  write(written);
  if (values.check && read(committed) !== read(written)) outdated.push(relative(root, committed));
}

/** The filters of each list that can be counted. */
function listFilters(): string {
  const { paths } = JSON.parse(readFileSync(join(root, 'spec/openapi/manage.json'), 'utf8')) as Manage;
  const counts = Object.entries(paths).filter(([path]) => path.endsWith('/count'));
  const lists = counts.map(([path, { get }]) => [
    path.slice(1, -'/count'.length),
    Object.fromEntries(get.parameters.map(({ name, schema }) => [name, schema.type])),
  ]);
  return `/** The filters of the manage API's lists, with the types of their values. Written by npm run clients. */
export const listFilters = ${JSON.stringify(Object.fromEntries(lists), null, 2)} as const;\n`;
}

interface Manage {
  paths: Record<string, { get: { parameters: { name: string; schema: { type: string } }[] } }>;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

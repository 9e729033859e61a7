/** Writes to spec/types the types of the clients and of the console from the OpenAPI documents, if these have changed. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { hashFiles, isStamped } from '../gateway/base/hash-files.ts';

// openapi-typescript needs the compiler API of TypeScript 5, which TypeScript 7 lacks: npm exec installs both.
const generator = ['--yes', '--package=openapi-typescript@7.13.0', '--package=typescript@5.9.3', '--', 'openapi-typescript'];
// A field with a default stays optional for the caller.
const options = ['--default-non-nullable=false'];

const root = join(import.meta.dirname, '..');
const documents = 'spec/openapi/*.json';
const types = join(root, 'spec/types');
const stampFile = join(types, 'documents.sha256');
const stamp = hashFiles(root, [documents, 'packaging/write-types.ts']);
if (!isStamped(stampFile, stamp)) {
  for (const document of globSync(documents, { cwd: root })) writeTypes(document);
  writeFileSync(stampFile, stamp);
}

function writeTypes(document: string): void {
  // In the scratch folder npm does not find our package.json with TypeScript 7.
  const scratch = mkdtempSync(join(tmpdir(), 'passerelle-types-'));
  const file = join(types, `${parse(document).name}.ts`);
  execFileSync('npm', ['exec', ...generator, join(root, document), '-o', file, ...options], {
    cwd: scratch,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  rmSync(scratch, { recursive: true });
}

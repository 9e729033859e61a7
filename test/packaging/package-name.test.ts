import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { npxCommand } from '../../spec/documents/services.ts';

const root = join(import.meta.dirname, '../..');

/** Commands that install the package of that name from the registry, where it is not installed. */
const hazard =
  /\b(?:npx|npm exec|npm x|bunx|pnpm dlx|yarn dlx)(?! --no -- passerelle\b)(?: +-\S+)* +passerelle\b|\bnpm (?:install|i|add|ci)(?: +-\S+)* +passerelle(?![\w-]*[-./]\w)/g;

const found = (text: string) => text.match(hazard) ?? [];

test.each([
  'npx passerelle stub pos',
  'npx -y passerelle stub pos',
  'npx --no passerelle --version',
  'npx passerelle@0.1.0 verify',
  'npm exec -- passerelle verify',
  'bunx passerelle',
  'npm install --save-dev passerelle',
])('%s could run a stranger’s package', (command) => {
  expect(found(`Run ${command}.`)).toHaveLength(1);
});

test.each([
  npxCommand,
  'node_modules/.bin/passerelle',
  'npm install passerelle-0.1.0.tgz',
  'npm install ./passerelle',
  'passerelle stub pos',
])('%s runs only what is installed', (command) => {
  expect(found(`Run ${command} stub pos.`)).toEqual([]);
});

test('no file of the repository has a command that could run a stranger’s package', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0');
  const isText = (name: string) => !/\.(png|gz|br|tar|woff2|har)$|^package-lock\.json$/.test(name);
  const own = 'test/packaging/package-name.test.ts';
  const wrong = files
    .filter((name) => name !== '' && isText(name) && name !== own && existsSync(join(root, name)))
    .flatMap((name) => found(readFileSync(join(root, name), 'utf8')).map((command) => `${name}: ${command}`));
  expect(wrong).toEqual([]);
});

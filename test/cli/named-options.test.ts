import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { everywhere } from '../../cli/program.ts';
import { withPackages } from '../../cli/with-packages.ts';
import { v8Flags } from '../../gateway/base/v8-flags.ts';
import { newFolder, runCommand } from '../program.ts';

const root = join(import.meta.dirname, '../..');

/** Options of npm, Node, Vitest and curl, and of our own scripts. */
const ofOthers = [
  ...['--save-dev', '--no', '--test', '--reporter', '--if-changed', '--check', '--release'],
  ...['--globoff', '--data-binary', '--data-raw', '--head', '--cacert'],
  ...['--inspect', '--watch', ...v8Flags],
];

/** Options of `npm start`, which has no command. */
const ofStart = ['--json', '--no-demo', '--role', '--migrate-only', '--replace-key', '--help'];

const flagsOf = (command: Command): string[] => command.options.flatMap(({ long }) => (long ? [long] : []));

/** The options of each command, by its whole name such as `receiver check`. */
async function readOptions(): Promise<Map<string, Set<string>>> {
  const all = new Map<string, Set<string>>();
  const add = (command: Command, name: string, above: string[]): void => {
    const flags = [...above, ...flagsOf(command), '--help'];
    all.set(name, new Set(flags));
    for (const one of command.commands) add(one, `${name} ${one.name()}`, flags);
  };
  for (const [name, load] of Object.entries({ ...everywhere, ...withPackages })) add(await load(), name, ['--version']);
  return all;
}

test('each option that a text names exists', async () => {
  const options = await readOptions();
  const known = new Set([...[...options.values()].flatMap((flags) => [...flags]), ...ofStart, ...ofOthers]);
  const sources = '{cli,contracts/tools,stubs,receivers,gateway/{start,base,http,manage,webhooks}}/**/*.ts';
  const files = globSync(sources, { cwd: root });
  const unknown = files.flatMap((file) => {
    const named = readFileSync(join(root, file), 'utf8').matchAll(/(?<=["'`(\s])--[a-z][a-z-]+(?![\w-])/g);
    return [...named].flatMap(([option]) => (known.has(option) ? [] : [`${file}: ${option}`]));
  });
  expect(unknown).toEqual([]);
});

test('each command that a text names has the options that stand after it', async () => {
  const options = await readOptions();
  const places = ['README.md', 'docs/**/*.md', '{cli,contracts,spec,stubs,receivers,gateway}/**/*.{ts,tsx}'];
  const files = places.flatMap((place) =>
    globSync(place, { cwd: root, exclude: ['docs/decisions/**', 'gateway/console/built/**'] }),
  );
  const named = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/passerelle ([a-z][^`\n"'|#&;)]*)/g)].map(([, text = '']) => ({
      file,
      text,
    })),
  );
  const checked = named.flatMap(({ file, text }) => {
    const words = (text.split(' -- ')[0] ?? '').split(/\s+/);
    const command = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => options.has(name));
    if (command === undefined) return [];
    const flags = words.filter((word) => /^--[a-z][a-z-]+(=|$)/.test(word)).map((word) => word.replace(/=.*/, ''));
    return flags.map((flag) => ({ file, command, flag, exists: options.get(command)?.has(flag) }));
  });
  expect(checked.length).toBeGreaterThan(100);
  expect(checked.filter(({ exists }) => !exists)).toEqual([]);
});

/** Places of pacts with which a command gives advice. */
async function placesOfAdvice(): Promise<string[][]> {
  const folder = await newFolder();
  const write = async (file: string, provider: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    const path = '/api/auth';
    const interactions = [{ description: 'a refusal', request: { method: 'POST', path }, response: { status: 400 } }];
    const metadata = { pactSpecification: { version: '2.0.0' } };
    const consumer = { name: 'caisse' };
    await writeFile(join(folder, file), JSON.stringify({ consumer, provider: { name: provider }, interactions, metadata }));
    return join(folder, file);
  };
  const one = await write('one/a.json', 'payments');
  await write('two/a.json', 'payments');
  await write('two/b.json', 'stock');
  const [first, second] = [join(folder, 'one'), join(folder, 'two')];
  return [
    ['--pact', first],
    ['pos', '--pact', first],
    ['--pact', second],
    ['pos', '--pact', second],
    ['--pact', one],
    ['--pact', join(folder, 'none')],
  ];
}

test('a command that reads pacts advises only what it has itself, and its advice leads on', async () => {
  const options = await readOptions();
  const commands = Object.entries({ ...everywhere, ...withPackages }).filter(([name]) => options.get(name)?.has('--pact'));
  expect(commands.map(([name]) => name).sort()).toEqual(['assumptions', 'compare', 'coverage', 'verify']);
  const places = await placesOfAdvice();
  for (const [name, load] of commands) {
    const texts: string[] = [];
    for (const args of places) texts.push((await runCommand(await load(), args)).stderr);
    const told = texts.join('\n');
    for (const [flag] of told.matchAll(/--[a-z][a-z-]+/g)) expect([...(options.get(name) ?? [])], told).toContain(flag);
    for (const [, other] of told.matchAll(/passerelle ([a-z]+)/g)) expect(other, told).toBe(name);
    const [, advised] = /such as passerelle [a-z]+ (pos --pact \S+)\.$/m.exec(told) ?? [];
    if (name === 'verify') expect(told).toContain(' and --provider-name for the one that is meant.');
    else expect((await runCommand(await load(), (advised ?? '').split(' '))).code).not.toBe(2);
  }
});

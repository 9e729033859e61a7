import type { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { refuseEmptyWords } from '../../cli/empty-values.ts';
import { everywhere } from '../../cli/program.ts';
import { withPackages } from '../../cli/with-packages.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { runHere } from '../program.ts';

interface Found {
  /** Such as `stub calls`. */
  name: string;
  command: Command;
}

const withSubcommands = (command: Command, before = ''): Found[] => {
  const name = `${before}${command.name()}`;
  return [{ name, command }, ...command.commands.flatMap((one) => withSubcommands(one, `${name} `))];
};

const found = (await Promise.all(Object.values({ ...everywhere, ...withPackages }).map((load) => load()))).flatMap((one) =>
  withSubcommands(one),
);
const options = found.flatMap(({ name, command }) => command.options.map((option) => ({ name, option })));
const placeOf = ({ name, option }: { name: string; option: Option }) => `${name} ${option.flags}`;
const choosesApi = (choices: readonly string[] | undefined) => serviceNames.every((name) => choices?.includes(name));

test('--json is a switch in every command, and its result goes to standard output', () => {
  const json = options.filter(({ option }) => option.long === '--json');
  expect(json.length).toBeGreaterThan(20);
  expect(json.filter(({ option }) => option.flags !== '--json').map(placeOf)).toEqual([]);
});

test('an empty word is refused, and what stands before it named; those of the command to run are its own', async () => {
  expect(() => refuseEmptyWords(['stub', 'pos', '--fault-seed='])).toThrow('The value after --fault-seed is empty.');
  expect(() => refuseEmptyWords(['probe', 'pos', '--assumptions', '', '--', 'x'])).toThrow(
    'The value after --assumptions is empty.',
  );
  expect(() => refuseEmptyWords(['trigger', ''])).toThrow('The value after trigger is empty.');
  expect(() => refuseEmptyWords(['stub', '--env=NAME=', '--', 'x', ''])).not.toThrow();
  const stderr = 'passerelle: The value after passerelle is empty. Is a variable not set? Give a value, or leave it out.\n';
  expect(await runHere([''])).toEqual({ code: 2, stdout: '', stderr });
});

test('a place where no pact can be written is refused before the run', async () => {
  const { code, stderr } = await runHere(['pact', 'pos', '--consumer', 'x', '--output', 'x.txt', '--', 'no-such-program']);
  expect([code, stderr]).toEqual([
    2,
    'passerelle: --output: x.txt must be a folder, or the name of a file that ends in .json.\n',
  ]);
});

test('an API after --pact is no pact', async () => {
  const { code, stderr } = await runHere(['coverage', '--pact', 'contracts/pacts', 'pos']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('pos is an API, which stands before the options: pos --pact PLACE.'),
  ]);
});

test('an option has the same value in every command', () => {
  const values = Map.groupBy(options, ({ option }) => option.long);
  const several = [...values.values()].filter((all) => new Set(all.map(({ option }) => option.flags)).size > 1);
  expect(several.map((all) => all.map(placeOf))).toEqual([]);
});

test('what a command writes is --output', () => {
  const written = options.filter(({ option }) => /^(write|append|the files? (to write|of the pact))/.test(option.description));
  expect(written.length).toBeGreaterThan(5);
  expect(written.filter(({ option }) => option.flags !== '--output <file>').map(placeOf)).toEqual([]);
  const names = ['--out', '--junit', '--html', '--markdown', '--md', '--xml', '--report'];
  expect(options.filter(({ option }) => names.includes(option.long ?? '')).map(placeOf)).toEqual([]);
});

test('the API that a command is about is its first argument, and no option', () => {
  // The API of an endpoint that is added is a part of that endpoint.
  const others = options.filter(({ option, name }) => choosesApi(option.argChoices) && name !== 'stub endpoints');
  expect(others.map(placeOf)).toEqual([]);
  const later = found.filter(({ command }) =>
    command.registeredArguments.slice(1).some(({ argChoices }) => choosesApi(argChoices)),
  );
  expect(later.map(({ name }) => name)).toEqual([]);
});

test('--seed is the data of a stub', () => {
  const seeds = options.filter(({ option }) => option.long === '--seed');
  expect(seeds.map(({ name }) => name).toSorted()).toEqual(['coverage', 'pact', 'probe', 'run', 'stub']);
  for (const { option } of seeds) expect(option.description).toContain('demo, empty, or a JSON file');
});

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { apiArgument, exitCodes, say } from './command.ts';

const examples = `
Examples:
  $ passerelle seed init pos
  $ passerelle seed init cohesion tests/cohesion.json
  $ curl -s http://127.0.0.1:4010/_stub/state        # {"data": <the seed of a running stub>}

Exit codes: 0 written, 2 could not be written.`;

export const seedCommand = (): Command =>
  new Command('seed')
    .summary('write your own data for a stub')
    .description('Writes data that a stub starts with.')
    .addCommand(initCommand());

const initCommand = (): Command =>
  new Command('init')
    .summary('write a working example')
    .description('Writes a small example of a seed, and beside it the JSON Schema by which editors complete and check it.')
    .addArgument(apiArgument('<api>', 'the API'))
    .argument('[file]', 'the file to write (default: pos.seed.json or cohesion.seed.json)')
    .addHelpText('after', examples)
    .action(async (api: ServiceName, file?: string) => {
      await init(api, file ?? `${api}.seed.json`);
      process.exitCode = exitCodes.ok;
    });

async function init(api: ServiceName, file: string): Promise<void> {
  const [{ seedExamples }, { seedSchema }] = await Promise.all([
    import('../stubs/seed/examples.ts'),
    import('../stubs/seed/schema.ts'),
  ]);
  const schemaFile = `${file.replace(/\.json$/, '')}.schema.json`;
  for (const path of [file, schemaFile])
    if (existsSync(path)) throw new CouldNotRun(`${path} exists already. Remove it, or name another file.`);
  await write(file, { $schema: `./${basename(schemaFile)}`, ...seedExamples[api] });
  await write(schemaFile, seedSchema(api));
  say(`${file} is a seed of ${api}, ${schemaFile} its JSON Schema.\nStart a stub with it: passerelle stub ${api} --seed ${file}`);
}

const write = (file: string, content: object): Promise<void> =>
  writeFile(file, `${JSON.stringify(content, null, 2)}\n`).catch((error: Error) => {
    throw new CouldNotRun(`${file} could not be written: ${error.message}.`);
  });

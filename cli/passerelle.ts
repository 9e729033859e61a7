import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { CouldNotRun } from '../contracts/verification/pact.ts';
import { exitCodes, tell } from './command.ts';
import { verifyCommand } from './verify.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

const program = new Command('passerelle')
  .description('A webhook gateway and integration-testing harness: what partners and CI run.')
  .version(version)
  .showSuggestionAfterError()
  .showHelpAfterError('(--help says what there is)')
  .exitOverride()
  .addHelpText('after', '\nExit codes: 0 all is well, 1 what was checked is not, 2 it could not be checked.');
for (const command of [verifyCommand()]) program.addCommand(command.exitOverride().copyInheritedSettings(program));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = codeOf(error);
}

function codeOf(error: unknown): number {
  // Help and version end the program this way too, without a fault.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.couldNotRun;
  if (!(error instanceof CouldNotRun)) throw error;
  tell(`passerelle: ${error.message}`);
  return exitCodes.couldNotRun;
}

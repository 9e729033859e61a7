import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { CouldNotRun } from '../contracts/could-not-run.ts';
import { brokerCommand } from './broker.ts';
import { exitCodes, tell } from './command.ts';
import { compareCommand, coverageCommand } from './read-pacts.ts';
import { stubCommand } from './stub.ts';
import { triggerCommand } from './trigger.ts';
import { verifyCommand } from './verify.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

const program = new Command('passerelle')
  .description('A webhook gateway and integration-testing harness: what partners and CI run.')
  .version(version)
  .addHelpText('after', '\nExit codes: 0 all is well, 1 what was checked is not, 2 it could not be checked.');
for (const command of [stubCommand(), triggerCommand(), verifyCommand(), coverageCommand(), compareCommand(), brokerCommand()])
  program.addCommand(command);
everyCommand(program, (command) => command.exitOverride().showSuggestionAfterError().showHelpAfterError('(--help says more)'));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = codeOf(error);
}

function everyCommand(command: Command, settle: (command: Command) => void): void {
  settle(command);
  for (const below of command.commands) everyCommand(below, settle);
}

/** Mistakes of whoever called, and what cannot be reached, are one line; anything else is a fault of ours. */
function codeOf(error: unknown): number {
  // Help and version end the program this way too, and so does a wrong option, which commander has said itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.couldNotRun;
  if (!(error instanceof CouldNotRun)) throw error;
  tell(`passerelle: ${error.message}`);
  return exitCodes.couldNotRun;
}

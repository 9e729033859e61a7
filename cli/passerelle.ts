import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { exitCodes, tell } from './command.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** A command's module is loaded where the command is asked for: a start costs what the command needs. */
const commands = {
  stub: async () => (await import('./stub.ts')).stubCommand(),
  gateway: async () => (await import('./gateway.ts')).gatewayCommand(),
  trigger: async () => (await import('./trigger.ts')).triggerCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  coverage: async () => (await import('./read-pacts.ts')).coverageCommand(),
  compare: async () => (await import('./read-pacts.ts')).compareCommand(),
  assumptions: async () => (await import('./assumptions.ts')).assumptionsCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  receiver: async () => (await import('./receiver.ts')).receiverCommand(),
  listen: async () => (await import('./listen.ts')).listenCommand(),
  gaps: async () => (await import('./gaps.ts')).gapsCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(),
} as const;
type Name = keyof typeof commands;

/** All of them for help, for a name that is not known, and for completion, which describes them. */
function wanted(asked: string | undefined): Name[] {
  const names = Object.keys(commands) as Name[];
  return asked !== 'completion' && names.includes(asked as Name) ? [asked as Name] : names;
}

const program = new Command('passerelle')
  .description('A webhook gateway and integration-testing harness: what partners and CI run.')
  .version(version)
  .addHelpText('after', '\nExit codes: 0 all is well, 1 what was checked is not, 2 it could not be checked.');
for (const name of wanted(process.argv[2])) program.addCommand(await commands[name]());
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

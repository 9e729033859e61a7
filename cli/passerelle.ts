import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { exitCodes, tell } from './command.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** Each command's module is loaded only when it is needed, so that a start stays fast. */
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
} as const;
type Name = keyof typeof commands;

const program = new Command('passerelle')
  .description('A webhook gateway and integration-testing harness, for partners, CI and operators.')
  .version(version)
  .addHelpText('after', '\nExit codes: 0 success, 1 the check failed, 2 the check could not run.');
const [, , name = ''] = process.argv;
if (Object.hasOwn(commands, name)) program.addCommand(await commands[name as Name]());
else {
  // Help, suggestions and completion need every command.
  for (const load of Object.values(commands)) program.addCommand(await load());
  const { default: tab } = await import('@bomb.sh/tab/commander');
  tab(program, { completionCommandName: 'completion' });
  program.commands.find((command) => command.name() === 'completion')?.summary('print a completion script for your shell');
}
forEachCommand(program, (command) => command.exitOverride().showSuggestionAfterError().showHelpAfterError('(see --help)'));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = codeOf(error);
}

function forEachCommand(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const subcommand of command.commands) forEachCommand(subcommand, change);
}

/** Prints one line for wrong input and unreachable services; rethrows everything else, which is a bug. */
function codeOf(error: unknown): number {
  // Help, version and wrong options arrive here too; commander has already printed their text.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.couldNotRun;
  if (!(error instanceof CouldNotRun)) throw error;
  tell(`passerelle: ${error.message}`);
  return exitCodes.couldNotRun;
}

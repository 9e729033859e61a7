import { Command, CommanderError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { readVersion } from '../gateway/base/own-files.ts';
import { exitCodes, tell, withoutLogins } from './command.ts';
import { refuseEmptyVariables, refuseEmptyWords } from './empty-values.ts';

export type Load = () => Promise<Command>;

/** Each command's module is loaded only when it is needed, so that a start stays fast. */
export const everywhere = {
  run: async () => (await import('./run.ts')).runCommand(),
  stub: async () => (await import('./stub.ts')).stubCommand(),
  seed: async () => (await import('./seed.ts')).seedCommand(),
  trigger: async () => (await import('./trigger.ts')).triggerCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  receiver: async () => (await import('./receiver.ts')).receiverCommand(),
  listen: async () => (await import('./listen.ts')).listenCommand(),
  observe: async () => (await import('./observe.ts')).observeCommand(),
  gaps: async () => (await import('./gaps.ts')).gapsCommand(),
  states: async () => (await import('./states.ts')).statesCommand(),
  coverage: async () => (await import('./coverage.ts')).coverageCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
} satisfies Record<string, Load>;

/** The commands that need native code or other packages beside the program. */
export type WithPackages = Readonly<Record<'gateway' | 'verify' | 'compare' | 'pact' | 'assumptions', Load>>;

/** Runs the command that the arguments name. Sets the exit code. */
export async function runProgram(withPackages: WithPackages & Readonly<Record<string, Load>>): Promise<void> {
  const commands: Readonly<Record<string, Load>> = { ...everywhere, ...withPackages };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreUnread);

  const program = new Command('passerelle')
    .description('A webhook gateway and integration-testing harness, for partners, CI and operators.')
    .version(readVersion())
    // Words after a command's name are its own: `stub` has options that its commands have too.
    .enablePositionalOptions()
    .addHelpText('after', '\nExit codes: 0 success, 1 the check failed, 2 the check could not run.');
  const [, , name = ''] = process.argv;
  const asked = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (asked) program.addCommand(await asked());
  else if (!isVersion(name)) {
    // Help, suggestions and completion need every command.
    for (const load of Object.values(commands)) program.addCommand(await load());
    const { default: tab } = await import('@bomb.sh/tab/commander');
    tab(program, { completionCommandName: 'completion' });
    program.commands.find((command) => command.name() === 'completion')?.summary('print a completion script for your shell');
  }
  forEachCommand(program, (command) => {
    command.exitOverride().showSuggestionAfterError().showHelpAfterError('(see --help)');
    const { outputError = (text, write) => write(text) } = command.configureOutput();
    command.configureOutput({ outputError: (text, write) => outputError(withoutLogins(text), write) });
    nameUnknownFirst(command);
  });

  program.hook('preAction', (_, command) => refuseEmptyVariables(command));

  try {
    refuseEmptyWords(process.argv.slice(2));
    await program.parseAsync(argumentsFor(program, name));
  } catch (error) {
    process.exitCode = codeOf(error);
  }
}

const isVersion = (name: string) => name === '--version' || name === '-V';
const isHelp = (name: string) => name === '--help' || name === '-h';

/**
 * Returns the arguments. After an unknown command, commander would answer `--version` and `--help` itself and exit with 0, so a
 * pipeline would pass. They are left out, so that the unknown command is reported.
 */
function argumentsFor(program: Command, name: string): string[] {
  const command = program.commands.find((one) => process.argv.slice(3).includes(one.name()))?.name();
  if (name.startsWith('-') && !isVersion(name) && !isHelp(name) && command)
    throw new CouldNotRun(`Options follow the command: passerelle ${command} ${name} ...`);
  const isKnown = name === '' || name.startsWith('-') || name === 'help' || program.commands.some((one) => one.name() === name);
  if (isKnown) return process.argv;
  return process.argv.slice(0, 3);
}

/**
 * The reader has closed the pipe, as `| head` does. Commands finish, so that their exit code is right. Servers continue. Commands
 * that do nothing but print until they are stopped, such as `calls --follow`, end by themselves.
 */
function ignoreUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function forEachCommand(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const subcommand of command.commands) forEachCommand(subcommand, change);
}

/**
 * Reports a misspelt option, and not the required option that is missing because of it. Commander looks for unknown options only
 * later, but before its hooks run.
 */
function nameUnknownFirst(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  if (required.length === 0) return;
  for (const option of required) option.mandatory = false;
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing)
      command.error(`error: required option '${missing.flags}' not specified`, {
        code: 'commander.missingMandatoryOptionValue',
      });
  });
}

/** Prints one line for wrong input and unreachable services; rethrows everything else, which is a bug. */
function codeOf(error: unknown): number {
  // Help, version and wrong options arrive here too; commander has already printed their text.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.couldNotRun;
  if (!(error instanceof CouldNotRun)) throw error;
  tell(`passerelle: ${withoutLogins(error.message)}`);
  return exitCodes.couldNotRun;
}

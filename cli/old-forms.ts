import type { Command } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/**
 * The command line says the same things in the same way in every command (`test/cli/convention.test.ts` checks each of them):
 * the API that a command is about is its first argument; `--json` is a switch and prints to standard output; `--output FILE` is what
 * a command writes; `--seed FILE` is the data of a stub; the command to run stands after `--`.
 */
interface OldForm {
  commands: readonly string[];
  option: string;
  /** The form is an old one only if the option has such a value. */
  value?: RegExp;
  /** The new form. `COMMAND` stands for the command. */
  now: string;
}

export const oldForms: readonly OldForm[] = [
  {
    commands: ['verify', 'compare', 'coverage', 'assumptions', 'states', 'gaps', 'pact'],
    option: '--provider',
    now: 'Name the API first: passerelle COMMAND pos.',
  },
  { commands: ['listen'], option: '--service', now: 'Name the API first: passerelle COMMAND pos.' },
  { commands: ['verify', 'probe', 'receiver check', 'breaking'], option: '--junit', now: 'Write --output FILE.xml.' },
  { commands: ['verify', 'probe'], option: '--html', now: 'Write --output FILE.html.' },
  {
    commands: ['verify', 'probe', 'breaking', 'coverage'],
    option: '--markdown',
    now: 'Write --output FILE.md, or --output "$GITHUB_STEP_SUMMARY".',
  },
  { commands: ['gaps'], option: '--md', now: 'Write --output FILE.md.' },
  {
    // `breaking` takes files of its own, which may follow its switch.
    commands: ['verify', 'probe', 'receiver check', 'gaps', 'observe', 'coverage', 'stress', 'mutate', 'examine'],
    option: '--json',
    value: /^-$|\.json$/,
    now: 'It prints to standard output and takes no file. To write one: --output FILE.json.',
  },
  { commands: ['observe', 'pact'], option: '--out', now: 'Write --output FILE.' },
  { commands: ['pact'], option: '--host', now: 'Write --from-host HOST.' },
  { commands: ['probe'], option: '--seed-data', now: 'Write --seed FILE.' },
  {
    commands: ['probe'],
    option: '--seed',
    value: /^\d+$/,
    now: 'It is the data of the stubs. To repeat a probe: --order-seed TEXT.',
  },
  { commands: ['doctor signature'], option: '--at', now: 'Write --received-at TIME.' },
];

/** The words of a command line before `--`. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** Throws `CouldNotRun` for an empty word. A shell makes one of a variable that is not set, and no command expects it. */
export function refuseEmptyWords(words: readonly string[]): void {
  ownWords(words).forEach((word, at, own) => {
    const option = /^(--[^=]+)=$/.exec(word)?.[1] ?? (word === '' ? ['passerelle', ...own][at] : undefined);
    if (option !== undefined)
      throw new CouldNotRun(`The value after ${option} is empty. Is a variable not set? Give a value, or leave it out.`);
  });
}

/** The same for an option whose value comes from a variable of the environment. */
export function refuseEmptyVariables(command: Command): void {
  const empty = command.options.find((option) => {
    const name = option.attributeName();
    return command.getOptionValueSource(name) === 'env' && command.getOptionValue(name) === '';
  });
  if (empty)
    throw new CouldNotRun(`The value of ${empty.envVar} is empty. Is a variable not set? Give a value, or leave it out.`);
}

/** Throws `CouldNotRun` with the new form, if the words of a command line have a form of earlier versions. */
export function refuseOldForms(words: readonly string[]): void {
  const own = ownWords(words);
  const line = `${own.join(' ')} `;
  own.forEach((word, at) => {
    const [option = '', value = own[at + 1] ?? ''] = word.split(/=(.*)/s);
    for (const { commands, now, ...old } of oldForms) {
      const command = commands.find((one) => line.startsWith(`${one} `));
      if (command === undefined || option !== old.option || old.value?.test(value) === false) continue;
      throw new CouldNotRun(`${command} has no ${option}${old.value ? ` ${value}` : ''}. ${now.replace('COMMAND', command)}`);
    }
  });
}

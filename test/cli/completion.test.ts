import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { completionCommand } from '../../cli/completion.ts';
import { completionScripts, type Shell } from '../../cli/completion-scripts.ts';
import { describeProgram } from '../../cli/describe-program.ts';
import { fileWith, passerelle, runCommand } from '../program.ts';

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;
const printed = new Map<Shell, string>();
/** What zsh finds out about its own completions, once a run. */
const kept = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
afterAll(() => rm(kept, { recursive: true }));

/** The script as the command prints it, once a run. */
async function scriptOf(shell: Shell): Promise<string> {
  const script = printed.get(shell) ?? (await passerelle(['completion', shell])).stdout;
  printed.set(shell, script);
  return script;
}

/** Runs a program of a shell in a folder that holds the script as `script`; its output. */
async function ask(shell: Shell, program: string, { words, cwd }: { words: string[]; cwd: string }, files: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ script: await scriptOf(shell), ...files }))
    await writeFile(join(folder, name), text);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    FOLDER: folder,
    DUMP: join(kept, 'zcompdump'),
    LINE: ['passerelle', ...words].join(' '),
  };
  const plain = { bash: '--norc', zsh: '-f', fish: '--no-config' }[shell];
  const { status, stdout, stderr } = spawnSync(shell, [plain, '-c', program], { cwd, env, encoding: 'utf8', timeout: 30_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return { stdout, folder };
}

/** zsh and fish offer words as a line would hold them. */
const unescaped = (text: string) => text.replaceAll('\\', '');
const lines = (text: string) => text.split('\n').filter(Boolean);

/** In an interactive zsh on a terminal of its own: the tab key writes down what is offered, and ends it. */
const insideZsh = `PROMPT=
autoload -Uz compinit && compinit -u -C -d $DUMP
source $FOLDER/script
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -A offered "$@"
  print -rl -- $offered >> $FOLDER/offered
}
offer() { zle complete-word; exit 0 }
zle -N offer
bindkey '^I' offer`;

/** What a shell offers for the last word of a line. */
const offeredBy: Readonly<Record<Shell, (words: string[], cwd: string) => Promise<string[]>>> = {
  async bash(words, cwd) {
    const given = words.map((word) => `'${word}'`).join(' ');
    const program = `source "$FOLDER/script"; complete -p passerelle >/dev/null || exit 9
COMP_WORDS=(passerelle ${given}); COMP_CWORD=${words.length}; _passerelle; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines((await ask('bash', program, { words, cwd })).stdout);
  },
  async zsh(words, cwd) {
    const program = `zmodload zsh/zpty; zpty asked zsh -f -i; zpty -w asked 'source $FOLDER/inside'
zpty -w -n asked "$LINE"$'\\t'; while zpty -r asked line; do :; done`;
    const { folder } = await ask('zsh', program, { words, cwd }, { inside: insideZsh, offered: '' });
    return lines(unescaped(await readFile(join(folder, 'offered'), 'utf8')));
  },
  async fish(words, cwd) {
    const { stdout } = await ask('fish', `source $FOLDER/script; complete -C "$LINE"`, { words, cwd });
    return lines(unescaped(stdout)).map((line) => line.split('\t')[0] ?? '');
  },
};

describe.each(Object.keys(offeredBy) as Shell[])('%s', (shell) => {
  const there = has(shell);
  const why = there ? '' : ` (skipped: no ${shell} on this machine)`;
  const offers = async (line: string, cwd = '.') => (await offeredBy[shell](line.split(' '), cwd)).toSorted();

  test.skipIf(!there)(`offers commands, then what is below them${why}`, async () => {
    expect(await offers('')).toEqual(expect.arrayContaining(['verify', 'doctor', 'receiver', 'listen', 'gaps']));
    expect(await offers('rec')).toEqual(['receiver']);
    expect(await offers('receiver c')).toEqual(['check']);
    expect(await offers('receiver check --rot')).toEqual(['--rotated-secret']);
    expect(await offers('gaps --m')).toEqual(['--md']);
    expect(await offers('nonsense li')).toEqual(['listen']);
  });

  test.skipIf(!there)(`offers the values of options and arguments, and nothing where anything may stand${why}`, async () => {
    expect(await offers('gaps --provider ')).toEqual(['cohesion', 'pos']);
    expect(await offers('verify --provider w')).toEqual(['webhook-receiver']);
    expect(await offers('completion z')).toEqual(['zsh']);
    expect(await offers('listen --token ')).toEqual([]);
  });

  test.skipIf(!there)(`offers files where a file is wanted, with spaces in their names too${why}`, async () => {
    const file = await fileWith('{}', 'body of it.json');
    expect(await offers('doctor signature --body bo', dirname(file))).toEqual(['body of it.json']);
  });
});

test('text of the program never ends a quotation in a script', () => {
  const program = new Command('tool').description("it's").option('--a <file>', "isn't: [x] $(boom) `boom`");
  program.addCommand(new Command('sub').summary("can't \n $(boom)"));
  for (const script of Object.values(completionScripts)) {
    const text = script(describeProgram(program)).replaceAll("'\\''", '');
    for (const line of text.split('\n').filter((one) => /boom|isn|can/.test(one))) expect(line.split("'").length % 2).toBe(1);
  }
});

test('what is not a shell is refused, with those there are', async () => {
  const { code, stderr } = await runCommand(completionCommand(), ['tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});

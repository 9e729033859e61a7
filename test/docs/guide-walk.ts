/**
 * Runs guides to the letter, one after another, in the current folder: `node guide-walk.ts GUIDE[,GUIDE...] HEADING TARBALL`. With a
 * heading, only the section below it.
 *
 *     sh              one line after another, in one shell
 *     sh terminal     in a terminal of its own, where it runs until the end
 *     sh repository   for a clone of the repository: skipped here
 *     js NAME, php NAME, ...   a file the reader saves under this name
 *     sh example      an example with names of the reader's own: skipped here
 *     text            what the block before it prints; [...] stands for anything
 *     text terminal   what the terminal opened last prints
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { longestWaitMs } from '../longest-wait.ts';
import { type Block, blocksUnder } from './guide.ts';

const [guide = '', heading = '', tarball = ''] = process.argv.slice(2);
const blockDone = '\0done';

interface Terminal {
  shell: ChildProcess;
  printed: string;
  /** The offset at which the output of the previous block begins. */
  from: number;
  /** True once that block has ended. */
  done: boolean;
}

const scratch = mkdtempSync(join(tmpdir(), 'passerelle-walk-'));
const open: Terminal[] = [];

function terminal(args: readonly string[]): Terminal {
  // A process group of its own, so that everything it starts can be killed with it.
  const shell = spawn('bash', ['-e', ...args], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const opened: Terminal = { shell, printed: '', from: 0, done: false };
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      opened.printed += text;
    });
  }
  open.push(opened);
  return opened;
}

/** Waits until the block has printed the expected text. Throws if the shell ends first. */
async function printed(by: Terminal, expected: RegExp, what: string): Promise<void> {
  const limit = AbortSignal.timeout(longestWaitMs);
  while (!expected.test(by.printed.slice(by.from))) {
    const ended = by.done || (by.shell.exitCode !== null && by.shell.stdout?.readableEnded);
    if (ended || limit.aborted) throw new Error(`${what}\nIt printed:\n${by.printed.slice(by.from)}`);
    await pause(20);
  }
}

function pattern(text: string): RegExp {
  const lines = text.trim().split('\n');
  const escaped = lines.map((line) =>
    line.trim() === '[...]' ? '[\\s\\S]*?' : line.trim().split('[...]').map(RegExp.escape).join('.*'),
  );
  return new RegExp(escaped.join('\\s*'));
}

type Step = (block: Block, last: Terminal) => Terminal | Promise<Terminal>;

function stepsIn(main: Terminal): Readonly<Record<string, Step>> {
  return {
    async sh({ code }) {
      Object.assign(main, { from: main.printed.length, done: false });
      writeFileSync(join(scratch, 'block'), code);
      main.shell.stdin?.write(`. '${join(scratch, 'block')}' < /dev/null\nprintf '\\0done\\n'\n`);
      await printed(main, new RegExp(blockDone), `A block ended with an error:\n${code}`);
      main.done = true;
      return main;
    },
    'sh terminal': ({ code }) => terminal(['-c', code]),
    'sh repository': (_block, last) => last,
    'sh example': (_block, last) => last,
    file({ mark, code }, last) {
      mkdirSync(dirname(mark), { recursive: true });
      writeFileSync(mark, code);
      return last;
    },
    async text({ code }, last) {
      await printed(last, pattern(code), `${guide} shows:\n${code}`);
      return last;
    },
    async 'text terminal'({ code }, last) {
      await printed(open.at(-1) ?? last, pattern(code), `${guide} shows for the last terminal:\n${code}`);
      return last;
    },
  };
}

function stepOf({ language, mark }: Block, steps: Readonly<Record<string, Step>>): Step {
  const isFile =
    ['csharp', 'go', 'java', 'js', 'json', 'php', 'python', 'ruby', 'yaml'].includes(language) && /^[\w./-]+$/.test(mark);
  const step = isFile ? steps.file : steps[`${language} ${mark}`.trim()];
  if (!step) throw new Error(`A block "${language} ${mark}" cannot be run. Use one of: ${Object.keys(steps).join(', ')}.`);
  return step;
}

try {
  const blocks = guide.split(',').flatMap((page) => blocksUnder(page, heading));
  const main = terminal([]);
  const steps = stepsIn(main);
  let last = main;
  for (const block of blocks) {
    const code = block.code.replaceAll('/path/to/passerelle-0.1.0.tgz', tarball);
    last = await stepOf(block, steps)({ ...block, code }, last);
    for (const one of open) if (one.shell.exitCode) throw new Error(`A terminal ended with an error:\n${one.printed}`);
  }
  process.stdout.write(`${guide}${heading && `, "${heading}"`}: ${blocks.length} blocks ran as written.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  for (const { shell } of open) if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
}

/**
 * Runs the blocks of a README section as written, in the current folder: `node readme-walk.ts HEADING TARBALL`.
 *
 *     sh              runs in one shell, line by line
 *     sh terminal     runs in its own terminal until the end
 *     sh repository   is for this repository; skipped here
 *     js NAME         a file that the reader saves under this name
 *     text            the output of the previous block; [...] matches anything
 *     text terminal   the output of the last opened terminal
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, blocksUnder } from '../readme.ts';

const [heading = '', tarball = ''] = process.argv.slice(2);
const longestWaitMs = 60_000;
const blockDone = '\0done';

interface Terminal {
  shell: ChildProcess;
  printed: string;
  /** Start of the previous block's output. */
  from: number;
  /** True if the current block has ended. */
  done: boolean;
}

const scratch = mkdtempSync(join(tmpdir(), 'passerelle-walk-'));
const open: Terminal[] = [];

function terminal(args: readonly string[]): Terminal {
  // Its own process group, so that all its children end with it.
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

/** Waits until the output matches. Throws if the shell ends or 60 s pass without a match. */
async function printed(by: Terminal, expected: RegExp, what: string): Promise<void> {
  const endMs = Date.now() + longestWaitMs;
  while (!expected.test(by.printed.slice(by.from))) {
    const ended = by.done || (by.shell.exitCode !== null && by.shell.stdout?.readableEnded);
    if (ended || Date.now() > endMs) throw new Error(`${what}\nIt printed:\n${by.printed.slice(by.from)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
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
    js({ mark, code }, last) {
      writeFileSync(mark, code);
      return last;
    },
    async text({ code }, last) {
      await printed(last, pattern(code), `The README shows:\n${code}`);
      return last;
    },
    async 'text terminal'({ code }, last) {
      await printed(open.at(-1) ?? last, pattern(code), `The README shows of the last terminal:\n${code}`);
      return last;
    },
  };
}

function stepOf({ language, mark }: Block, steps: Readonly<Record<string, Step>>): Step {
  const step = language === 'js' && /^[\w.-]+$/.test(mark) ? steps.js : steps[`${language} ${mark}`.trim()];
  if (!step) throw new Error(`Unknown block "${language} ${mark}": use one of ${Object.keys(steps).join(', ')}.`);
  return step;
}

try {
  const blocks = blocksUnder(heading);
  if (blocks.length === 0) throw new Error(`The README has no blocks under "${heading}".`);
  const main = terminal([]);
  const steps = stepsIn(main);
  let last = main;
  for (const block of blocks) {
    const code = block.code.replaceAll('/path/to/passerelle-0.1.0.tgz', tarball);
    last = await stepOf(block, steps)({ ...block, code }, last);
    for (const one of open) if (one.shell.exitCode) throw new Error(`A terminal ended with an error:\n${one.printed}`);
  }
  process.stdout.write(`${blocks.length} blocks of "${heading}" run as they are written.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  for (const { shell } of open) if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
}

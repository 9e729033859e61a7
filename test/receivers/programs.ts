import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../free-port.ts';

/** A receiver that is a program of its own. Its port is in `PORT`, its secrets are in `SECRET`. */
export interface ReceiverProgram {
  name: string;
  /** The program that runs it, such as `php`. */
  command: string;
  args(port: number): string[];
  /** The command that compiles it to a file, and the one that runs that. */
  build?(to: string): { compile: string[]; run: string[] };
  /** False if `command` is not installed. */
  present: boolean;
  title: string;
}

const root = join(import.meta.dirname, '../..');

const machineNode =
  process.env.PATH?.split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((file) => !file.includes('node_modules') && existsSync(file)) ?? process.execPath;

type Runtime = (file: string) => Pick<ReceiverProgram, 'command' | 'args' | 'build'> & { version?: string };

/** The folder of compiled programs. It is removed when the test process ends. */
let builds: string | undefined;
function buildFolder(): string {
  if (builds !== undefined) return builds;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-receivers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  builds = folder;
  return folder;
}

/** How each language runs a file, by the file's extension. */
const runtimes: Readonly<Record<string, Runtime>> = {
  // As the guide says, on the machine's own Node: it may be too old for TypeScript.
  ts: (file) => ({ command: machineNode, args: () => [join(root, 'packaging/install/run.js'), file] }),
  mjs: (file) => ({ command: process.execPath, args: () => [file] }),
  py: (file) => ({ command: 'python3', args: () => [file] }),
  rb: (file) => ({ command: 'ruby', args: () => [file] }),
  java: (file) => ({ command: 'java', args: () => [file] }),
  go: (file) => ({
    command: 'go',
    version: 'version',
    args: () => [],
    build: (to) => ({ compile: ['go', 'build', '-o', to, file], run: [to] }),
  }),
  cs: (file) => ({
    command: 'mcs',
    args: () => [],
    build: (to) => ({ compile: ['mcs', '-nologo', `-out:${to}`, file], run: ['mono', to] }),
  }),
  php: (file) => ({ command: 'php', args: (port) => ['-S', `127.0.0.1:${port}`, file] }),
};

function program(path: string): ReceiverProgram {
  const name = path.split('/').at(-1) ?? path;
  const runtime = (runtimes[path.split('.').at(-1) ?? ''] as Runtime)(join(root, path));
  const present = spawnSync(runtime.command, [runtime.version ?? '--version']).status === 0;
  return {
    name,
    ...runtime,
    present,
    title: `${name}${present ? '' : ` (skipped: no ${runtime.command} here)`}`,
  };
}

const sample = (name: string) => program(`receivers/samples/${name}`);

/** The samples of the package in the languages that most machines have. */
export const samples = ['http.ts', 'fastify.ts', 'receiver.py', 'receiver.php'].map(sample);

/** The sample for Node that needs no package, to be pasted. The guide shows those that use the package. */
export const pastedSample = sample('receiver.mjs');

/** The samples in other languages. Their compilers take seconds. */
export const compiledSamples = ['receiver.go', 'Receiver.java', 'Receiver.cs', 'receiver.rb'].map(sample);

/** Receivers that were written from the API document alone. */
export const byDocument = ['mjs', 'php', 'py'].map((extension) => program(`test/receivers/by-document/receiver.${extension}`));

export interface RunningProgram {
  url: string;
  port: number;
  /** Everything that it printed. */
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a receiver. Resolves when it listens; rejects with its output if it ends before. `given`: variables in place of the usual ones. */
export async function startProgram(
  receiver: ReceiverProgram,
  secrets: readonly string[],
  given: Record<string, string> = {},
): Promise<RunningProgram> {
  const port = await freePort();
  const env = { ...process.env, SECRET: secrets.join(' '), PORT: String(port), ...given };
  const [command = '', ...args] = commandOf(receiver, port);
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const taken = await new Promise<boolean>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (/listening|started/.test(printed)) resolve(false);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) =>
      /already in use|EADDRINUSE/i.test(printed) ? resolve(true) : reject(new Error(`It ended with ${code}: ${printed}`)),
    );
  });
  // Another program of this machine took the port since it was found free.
  if (taken) return startProgram(receiver, secrets);
  return { url: `http://127.0.0.1:${port}/hook`, port, printed: () => printed, stop: () => stop(child) };
}

function commandOf({ name, command, args, build }: ReceiverProgram, port: number): string[] {
  if (build === undefined) return [command, ...args(port)];
  const to = join(buildFolder(), `${name}.exe`);
  const { compile, run } = build(to);
  const [compiler = '', ...rest] = compile;
  if (!existsSync(to)) execFileSync(compiler, rest, { stdio: 'pipe', env: { ...process.env, CGO_ENABLED: '0' } });
  return run;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

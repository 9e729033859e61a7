import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import type { Greeting } from '../../gateway/start/greeting.ts';
import { emptyTemplate } from '../pglite.ts';

export const root = join(import.meta.dirname, '../..');

/** Registers a clean-up, as `onTestFinished` does. */
export type AtEnd = (work: () => void | Promise<void>) => void;

/** Creates a data folder, empty or with a copy of the suite's empty database. It is removed when the test ends. */
export function newDataDir({ empty = false, inside = tmpdir(), atEnd = onTestFinished as AtEnd } = {}): string {
  const folder = mkdtempSync(join(inside, 'passerelle-e2e-'));
  if (emptyTemplate !== undefined && !empty)
    cpSync(join(emptyTemplate, 'postgres'), join(folder, 'postgres'), { recursive: true });
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Started {
  child: ChildProcess;
  greeting: Greeting;
  /** Returns the output so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown },
  ): Promise<{ status: number; headers: Headers; body: Reply }>;
}

/** A gateway that answers, in this process or another. */
export type Served = Pick<Started, 'greeting' | 'call'>;

// biome-ignore lint/suspicious/noExplicitAny: replies have any shape
export type Reply = any;

/** Runs the program as `npm start -- --json` does, and waits for its greeting. It is killed when the test ends. */
export async function startProcess(
  environment: Record<string, string>,
  args = ['--json'],
  atEnd: AtEnd = onTestFinished,
  sources = root,
): Promise<Started> {
  const running = spawnProcess(environment, args, atEnd, sources);
  const line = await firstLine(running);
  const greeting = line.startsWith('{') ? (JSON.parse(line) as Greeting) : ({} as Greeting);
  return { ...running, greeting, call: caller(greeting.url) };
}

/** Calls the gateway at this address. */
export function caller(url: string): Started['call'] {
  return async (method, path, { token, body } = {}) => {
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const reply = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  };
}

/**
 * One installation for all tests of a file: gives the process that runs on its data folder, and starts one where the last
 * has ended. It leaves nothing when they are done.
 */
export function sharedInstallation(): () => Promise<Started & { dataDir: string }> {
  const endings: (() => void | Promise<void>)[] = [];
  const atEnd: AtEnd = (work) => void endings.unshift(work);
  const dataDir = newDataDir({ atEnd });
  afterAll(async () => {
    for (const end of endings) await end();
  });
  let started: Started | undefined;
  return async () => {
    if (started === undefined || started.child.exitCode !== null || started.child.signalCode !== null)
      started = await startProcess({ DATA_DIR: dataDir }, ['--json'], atEnd);
    return { ...started, dataDir };
  };
}

export function spawnProcess(
  environment: Record<string, string>,
  args: string[] = [],
  atEnd: AtEnd = onTestFinished,
  sources = root,
) {
  const child = spawn(process.execPath, [join(sources, 'gateway/server.ts'), ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      DURABILITY: 'process',
      DEMO: 'new',
      // A busy machine refuses nothing.
      MAX_CALL_WAIT_MS: '60000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  atEnd(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, output: () => output, exited };
}

/** Returns the first line of standard output. If the process ended without one, throws with its standard error. */
async function firstLine({ child, output, exited }: ReturnType<typeof spawnProcess>): Promise<string> {
  const ended = exited.then((code) => {
    throw new Error(`the gateway ended with ${code}: ${output().stderr}`);
  });
  while (!output().stdout.includes('\n')) await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  ended.catch(() => {});
  return output().stdout.split('\n')[0] ?? '';
}

/** Polls until there is a result. The test's timeout bounds the wait. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Runs images as containers without an engine: a network of its own, a read-only root, the image's user, no rights. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { longestWaitMs } from '../longest-wait.ts';

/** An image, as `buildah inspect` describes it, with its mounted files. */
export interface Image {
  folder: string;
  config: {
    User: string;
    Env: string[];
    Entrypoint?: string[];
    Cmd: string[];
    WorkingDir?: string;
    Healthcheck: { Test: ['CMD', ...string[]] };
  };
}

export interface Running {
  child: ChildProcess;
  output(): string;
  exited: Promise<number | null>;
}

/** The network of this process is the host's. */
const network = '10.77.0';
export const hostAddress = `${network}.1`;
export const networkRange = `${network}.0/24`;

const run = (command: string) =>
  execFileSync('bash', ['-ec', command], { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

export class Network {
  readonly #hosts: string;
  #members = 1;

  /** Must be called in a namespace of mounts and one of networks, which end with the process. */
  constructor(scratch: string) {
    this.#hosts = join(scratch, 'hosts');
    writeFileSync(this.#hosts, '127.0.0.1 localhost\n');
    run(`mkdir -p /run/netns && mount -t tmpfs none /run/netns
      ip link set lo up
      ip link add name bridge type bridge
      ip addr add ${hostAddress}/24 dev bridge
      ip link set bridge up`);
  }

  /** Adds a machine with this name, and returns its address. All know each other by name. */
  join(name: string): string {
    const address = `${network}.${++this.#members}`;
    run(`ip netns add ${name}
      ip link add name v${this.#members} type veth peer name eth0 netns ${name}
      ip link set v${this.#members} master bridge up
      ip -n ${name} addr add ${address}/24 dev eth0
      ip -n ${name} link set lo up
      ip -n ${name} link set eth0 up`);
    appendFileSync(this.#hosts, `${address} ${name}\n`);
    return address;
  }

  /** Runs a program of this machine as a user of it at the address of this name. */
  runOwn(name: string, user: string, command: string[]): Running {
    const as = ['--reuid', user, '--init-groups'];
    return started(spawn('nsenter', [`--net=/run/netns/${name}`, 'setpriv', ...as, ...command], { stdio: piped, cwd: '/' }));
  }

  /** Runs a command in the image at the address of this name: its own by default. `data` is a folder for its data, if it gets one. */
  runImage(name: string, { folder, config }: Image, environment: Record<string, string>, given: Given = {}): Running {
    const { command = [...(config.Entrypoint ?? []), ...config.Cmd], data } = given;
    const id = readFileSync(join(folder, 'etc/passwd'), 'utf8').match(new RegExp(`^${config.User}:[^:]*:(\\d+):(\\d+):`, 'm'));
    if (!id) throw new Error(`the image has no user ${config.User}`);
    const [, user, group] = id;
    // What an engine adds to the files of an image.
    for (const part of ['dev', 'proc']) mkdirSync(join(folder, part), { recursive: true });
    writeFileSync(join(folder, 'etc/hosts'), '', { flag: 'a' });
    const mounts = `cd "$0"
      mount --bind . . && cd "$0"
      mount --bind /dev dev
      mount -t proc proc proc
      mount --bind ${this.#hosts} etc/hosts
      mount -o remount,bind,ro .
      ${data === undefined ? '' : `mount --bind ${data} data`}`;
    const asUser = `--root=. --wd=${config.WorkingDir || '/'} --setgid=${group} --setuid=${user}`;
    const script = `(PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH; ${mounts}
      ) && cd "$0" && exec /usr/bin/setpriv --no-new-privs /usr/bin/unshare ${asUser} "$@"`;
    return started(
      spawn(
        '/usr/bin/nsenter',
        [`--net=/run/netns/${name}`, '/usr/bin/unshare', '--mount', '/bin/bash', '-ec', script, realpathSync(folder), ...command],
        {
          env: { ...Object.fromEntries(config.Env.map((one) => one.split(/=(.*)/s, 2))), ...environment },
          stdio: piped,
        },
      ),
    );
  }

  /** Runs the image's health check beside it, and returns its exit code. */
  healthOf(name: string, image: Image, environment: Record<string, string>): Promise<number | null> {
    return this.runImage(name, image, environment, { command: image.config.Healthcheck.Test.slice(1) }).exited;
  }
}

interface Given {
  command?: string[];
  data?: string;
}

const piped: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
const all: ChildProcess[] = [];
process.on('exit', () => {
  for (const child of all) child.kill('SIGKILL');
});

function started(child: ChildProcess): Running {
  all.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return { child, output: () => output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

/** Asks until there is an answer that is not undefined or false. Throws with the output if the process has ended, or after a while. */
export async function until<T>(what: string, running: Running, ask: () => Promise<T | undefined | false>): Promise<T> {
  const limit = AbortSignal.timeout(longestWaitMs);
  while (!limit.aborted) {
    const found = await ask().catch(() => undefined);
    if (found) return found;
    if (running.child.exitCode !== null) break;
    await wait(100);
  }
  throw new Error(`${what} did not happen: ${running.output()}`);
}

/**
 * Measures a gateway's start on the embedded tier: CPU, peak and resident memory of the process until its greeting, with an
 * empty data folder and with the one of that first start; and its memory when it is idle afterwards.
 *
 *     node bench/start.ts [--rounds 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './cpu-seconds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const server = join(import.meta.dirname, '../gateway/server.ts');
/** Long enough for the first garbage collections and the first rounds of all timers. */
const idleMs = 10_000;

interface Start {
  wallMs: number;
  cpuMs: number;
  peakMb: number;
  idleMb: number;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** A figure of `/proc/PID/status` in MB. It covers all threads. */
function statusMb(pid: number, name: 'VmHWM' | 'VmRSS'): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}

async function start(dataDir: string): Promise<Start> {
  const beganMs = performance.now();
  const child: ChildProcess = spawn(process.execPath, [server, '--json'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', DEMO: 'new' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  const wallMs = performance.now() - beganMs;
  const pid = child.pid as number;
  const measured = { wallMs, cpuMs: cpuSeconds(child) * 1000, peakMb: statusMb(pid, 'VmHWM') };
  await delay(idleMs);
  const idleMb = statusMb(pid, 'VmRSS');
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { ...measured, idleMb };
}

const rounds: { first: Start; second: Start }[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const dataDir = mkdtempSync(join(tmpdir(), 'passerelle-start-'));
  rounds.push({ first: await start(dataDir), second: await start(dataDir) });
  rmSync(dataDir, { recursive: true, force: true });
}
const figures = ['wallMs', 'cpuMs', 'peakMb', 'idleMb'] as const;
for (const which of ['first', 'second'] as const) {
  const medians = figures.map((figure) => `${figure} ${Math.round(median(rounds.map((round) => round[which][figure])))}`);
  process.stdout.write(`${which} start: ${medians.join(', ')}\n`);
}

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the CPU time of a process with all its threads, in seconds. NaN on systems other than Linux. */
export function cpuSeconds({ pid }: Pick<ChildProcess, 'pid'>): number {
  const [user, system] = times(pid);
  return user + system;
}

/** Returns the CPU time of a process, of its running children, and of those that have ended, in seconds. */
export function cpuSecondsOfTree(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const own = times(pid).reduce((sum, seconds) => sum + seconds, 0);
  return children.reduce((sum, child) => sum + cpuSeconds({ pid: child }), own);
}

/** User and system time of a process, then of its children that have ended, in seconds. Fields 14 to 17 of proc(5). */
function times(pid: number | undefined): [number, number, number, number] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).map((ticks) => Number(ticks) / 100) as [number, number, number, number];
  } catch {
    return [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
  }
}

/** Returns the CPU time of this process's children that have ended, with their own children that have, in seconds. */
export function cpuSecondsOfEnded(): number {
  const [, , user, system] = times(process.pid);
  return user + system;
}

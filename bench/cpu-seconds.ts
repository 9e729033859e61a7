import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the CPU time of a process with all its threads, in seconds. NaN on systems other than Linux. */
export function cpuSeconds({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

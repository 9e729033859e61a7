import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Processor time of a process, all its threads. Linux only: elsewhere not a number. Clock ticks are hundredths of a second there. */
export function cpuSeconds({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** One figure of a program, as it was measured in each round. */
export interface Figure {
  /** Such as `GET /me, CPU of a call`. */
  what: string;
  unit: Unit;
  /** Passerelle's value in each round. */
  rounds: number[];
  /** The value of the bare variant in the same rounds. */
  bare?: number[];
}

export type Unit = 'µs' | 'ms' | 'MB' | 'bytes' | 'a second';

/** The options of every program. `only`: the cases with this text in their name; undefined means all. */
export interface Options {
  rounds: number;
  seconds: number;
  only: string | undefined;
  json: boolean;
  /** True if variants write CPU profiles to `profileFolder`. */
  profile: boolean;
}

export const profileFolder = 'bench/profiles';

/** Reads the options that all programs share. `help` is printed for `--help`, and the program ends. */
export function readOptions(help: string, defaults: Pick<Options, 'rounds' | 'seconds'>): Options {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: String(defaults.rounds) },
      seconds: { type: 'string', default: String(defaults.seconds) },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  return {
    rounds: wholeNumber('rounds', values.rounds),
    seconds: wholeNumber('seconds', values.seconds),
    only: values.only,
    json: values.json,
    profile: values.profile,
  };
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  process.stderr.write(`--${name} must be a whole number from 1, got ${text}.\n`);
  process.exit(2);
}

/** The arguments of Node for a variant: the program and its own, after those that write a profile. */
export const withProfile = (isProfiled: boolean, args: readonly string[]): string[] =>
  isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, ...args] : [...args];

/** Says on standard error what the program does. Standard output has only its result. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Prints the figures as a table, or as JSON for `report`. */
export function printFigures(figures: readonly Figure[], json: boolean): void {
  process.stdout.write(`${json ? JSON.stringify(figures) : tableOf(figures)}\n`);
}

/** Returns a table in Markdown: medians of the rounds, also of each round's multiple of the bare variant. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = ['| measured | Passerelle | bare | times bare |', '|---|---:|---:|---:|'];
  for (const { what, unit, rounds, bare } of figures) {
    const cells = [what, `${shortNumber(median(rounds))} ${unit}`, '', ''];
    if (bare) {
      const multiples = rounds.map((value, round) => value / (bare[round] ?? Number.NaN));
      cells[2] = `${shortNumber(median(bare))} ${unit}`;
      cells[3] = median(multiples).toFixed(2);
    }
    lines.push(`| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |'));
  }
  return lines.join('\n');
}

/** Three digits or more: 4.56, 45.6, 456, 4,560. */
function shortNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** `share`: from 0 to 1. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the CPU time of a process with its threads and children, also ended ones, in microseconds. */
export const cpuUs = (pid: number): number => sumOfTree(pid, ownCpuUs);

/** Returns the resident memory of a process and its children, in MB. */
export const residentMb = (pid: number): number =>
  sumOfTree(pid, (one) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]) / 1024);

/** Fields 14 to 17 of proc(5): user and system time, of the process and its ended children, in ticks of 10 ms. */
function ownCpuUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10_000, 0);
}

function sumOfTree(pid: number, figureOf: (pid: number) => number): number {
  let sum = figureOf(pid);
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) sum += sumOfTree(Number(child), figureOf);
  }
  return sum;
}

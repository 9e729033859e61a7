/** A mutant after which the program does the same for everyone who uses it, so that no test can notice it. */
interface Equivalent {
  file: string;
  was: string;
  replacement: string;
  why: string;
}

const equivalents: readonly Equivalent[] = [
  {
    file: 'gateway/queue/bullmq.ts',
    was: 'look();',
    replacement: ';',
    why: 'In the second until it looks, a process whose clock is wrong sends each job back.',
  },
  {
    file: 'gateway/store/sql/lease.ts',
    was: 'performance.now() - this.#renewedMs < this.#leaseMs',
    replacement: 'performance.now() - this.#renewedMs <= this.#leaseMs',
    why: 'The time has fractions of a microsecond, so it is never exactly that of the end.',
  },
];

export const isEquivalent = (mutant: { file: string; was: string; replacement?: string }): boolean =>
  equivalents.some(
    ({ file, was, replacement }) => mutant.file === file && mutant.was === was && mutant.replacement === replacement,
  );

import { createHash } from 'node:crypto';
import { type Job, jobId, type NewJob } from './port.ts';

/** Maximum attempts that one job of BullMQ carries. BullMQ's own work is most of a delivery's cost, so jobs share it. */
export const maxGroup = 16;
/** Attempts that are due within this time of each other may share a job, which runs when the last of them is due. */
const windowMs = 50;

/** Attempts that BullMQ carries as one job. */
export interface Group {
  /** The same attempts, queued twice, are one job. */
  id: string;
  jobs: Job[];
  delayMs: number;
  low: boolean;
  first: boolean;
}

/** Puts attempts of the same priority that are due at about the same time into groups. An attempt given twice is in one group only. */
export function groupsOf(jobs: readonly NewJob[]): Group[] {
  const distinct = [...new Map(jobs.map((job) => [jobId(job), job])).values()];
  const byPriority = Map.groupBy(distinct, ({ low, first, late }) => [low, first, late].map(Boolean).join());
  return [...byPriority.values()].flatMap((some) => chunksOf(some).map(groupOf));
}

/** Splits jobs at the size of a group, and where the next one is due too long after the first. Keeps the order of those due now. */
function chunksOf(jobs: NewJob[]): NewJob[][] {
  const chunks: NewJob[][] = [];
  let last: NewJob[] = [];
  for (const job of jobs.toSorted((a, b) => waitOf(a) - waitOf(b))) {
    const [first] = last;
    if (!first || last.length === maxGroup || waitOf(job) - waitOf(first) > windowMs) {
      last = [];
      chunks.push(last);
    }
    last.push(job);
  }
  return chunks;
}

const waitOf = ({ delayMs }: NewJob) => Math.max(0, delayMs);

function groupOf(chunk: NewJob[]): Group {
  const { low = false, first = false } = chunk[0] ?? {};
  const ids = chunk.map(jobId);
  const id = ids.length === 1 ? String(ids[0]) : createHash('sha1').update(ids.join()).digest('base64url');
  const delayMs = Math.max(...chunk.map(waitOf));
  return { id, jobs: chunk.map(({ delayMs: _, first: __, ...job }) => job), delayMs, low, first };
}

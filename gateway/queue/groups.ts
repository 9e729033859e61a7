import { createHash } from 'node:crypto';
import { type Job, jobId } from './port.ts';

/** Maximum attempts that one job of BullMQ carries. BullMQ's own work is most of a delivery's cost, so jobs share it. */
export const maxGroup = 16;
/** Attempts that are due within this time of each other may share a job, which runs when the last of them is due. */
const windowMs = 50;

type Delayed = Job & { delayMs: number };

/** Attempts that BullMQ carries as one job. */
export interface Group {
  /** The same attempts, queued twice, are one job. */
  id: string;
  jobs: Job[];
  delayMs: number;
  low: boolean;
}

/** Puts attempts of the same priority that are due at about the same time into groups. An attempt given twice is in one group only. */
export function groupsOf(jobs: readonly Delayed[]): Group[] {
  const distinct = [...new Map(jobs.map((job) => [jobId(job), job])).values()];
  const byPriority = Map.groupBy(distinct, ({ low = false }) => low);
  return [...byPriority].flatMap(([low, some]) => chunksOf(some).map((chunk) => groupOf(chunk, low)));
}

/** Splits jobs at the size of a group, and where the next one is due too long after the first. Keeps the order of those due now. */
function chunksOf(jobs: Delayed[]): Delayed[][] {
  const chunks: Delayed[][] = [];
  let last: Delayed[] = [];
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

const waitOf = ({ delayMs }: Delayed) => Math.max(0, delayMs);

function groupOf(chunk: Delayed[], low: boolean): Group {
  const ids = chunk.map(jobId);
  const id = ids.length === 1 ? String(ids[0]) : createHash('sha1').update(ids.join()).digest('base64url');
  const delayMs = Math.max(...chunk.map(waitOf));
  return { id, jobs: chunk.map(({ delayMs: _, ...job }) => job), delayMs, low };
}

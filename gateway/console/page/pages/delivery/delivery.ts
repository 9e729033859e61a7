import type { paths } from '../../lib/api.ts';
import { duration } from '../../lib/time.ts';

export type Story = paths['/deliveries/{id}']['get']['responses'][200]['content']['application/json']['data'];
export type Attempt = Story['attempts_made'][number];

/** The attempt that an address asks for, or the last one. */
export function openedAttempt({ attempts_made }: Story, wanted: string | undefined): Attempt | undefined {
  return attempts_made.find(({ number }) => String(number) === wanted) ?? attempts_made.at(-1);
}

export const attemptLink = ({ id }: Story, number: number) => `/deliveries/${encodeURIComponent(id)}?attempt=${number}`;

/** How long a delivery stood still between two instants, in milliseconds; never negative. */
export const waitedMs = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));

/** Why what comes next comes when it does: its endpoint's state, an operator, or what the last attempt was followed by. */
export function whyNext(
  { waits_for, attempts_made }: Story,
  endpointSays: string | null,
  operatorSays: string | undefined,
): string {
  if (waits_for === 'turn') return endpointSays ?? 'It waits for room at its endpoint: others are in front of it.';
  return operatorSays ?? attempts_made.at(-1)?.next_attempt_why ?? 'The first attempt is made as soon as there is room.';
}

/** Longer than this past its moment, an attempt was kept waiting: by its endpoint's limits, or by how much there was to do. */
const noticedMs = 1000;

export interface Pause {
  ms: number;
  why: string | null;
}

/** The wait before an attempt, and why it was that long: what the schedule says, and what came on top. */
export function pauseBefore(attempt: Attempt, before: Attempt | undefined, bornAt: string): Pause {
  const ms = waitedMs(before?.ended_at ?? bornAt, attempt.started_at);
  const dueAt = before?.next_attempt_at ?? (before ? null : bornAt);
  const lateMs = attempt.manual || dueAt === null ? 0 : waitedMs(dueAt, attempt.started_at);
  const share = before ? `${duration(lateMs)} of it until` : 'Until';
  const late = lateMs > noticedMs ? `${share} there was room for it.` : null;
  const asked = attempt.manual ? 'An operator asked for this one.' : null;
  return { ms, why: [before?.next_attempt_why ?? asked, late].filter(Boolean).join(' ') || null };
}

/** Milliseconds: `dns`, `connect` and `tls` are durations, `first_byte` and `total` are measured from the start. */
type Timings = Readonly<Record<string, number>>;

export type PhaseName = 'dns' | 'connect' | 'tls' | 'wait' | 'body' | 'open';

export interface Phase {
  name: PhaseName;
  startMs: number;
  ms: number;
}

export type Connection = 'new' | 'reused' | 'none';

interface TimedAttempt {
  outcome: string;
  address: string | null;
  timings: Timings;
}

const noConnection = new Set(['dns', 'connect', 'tls', 'blocked_address', 'secret_unreadable']);

/** The connection that an attempt used. Only a new connection has phases of its own. */
export function connectionOf({ outcome, address, timings }: TimedAttempt): Connection {
  if (timings.connect !== undefined) return 'new';
  return address === null || noConnection.has(outcome) ? 'none' : 'reused';
}

/**
 * The phases of an attempt in order, up to its total. The time between connecting and the first byte is the wait. A
 * connection can start to open before its attempt, so its phases are cut to fit.
 */
export function phasesOf(attempt: TimedAttempt): Phase[] {
  const { first_byte, total = first_byte ?? 0, ...opening } = attempt.timings;
  if (connectionOf(attempt) === 'none') return total > 0 ? [{ name: 'open', startMs: 0, ms: total }] : [];
  const answeredMs = Math.min(first_byte ?? total, total);
  const phases: Phase[] = [];
  let atMs = 0;
  const add = (name: PhaseName, untilMs: number) => {
    if (untilMs <= atMs) return;
    phases.push({ name, startMs: atMs, ms: untilMs - atMs });
    atMs = untilMs;
  };
  for (const name of ['dns', 'connect', 'tls'] as const) add(name, Math.min(atMs + (opening[name] ?? 0), answeredMs));
  add('wait', answeredMs);
  add('body', total);
  return phases;
}

/** Milliseconds, as an attempt states them: the parts of opening a connection, then two marks from the start. */
export type Timings = Readonly<Record<string, number>>;

export type PhaseName = 'dns' | 'connect' | 'tls' | 'wait' | 'body' | 'open';

export interface Phase {
  name: PhaseName;
  startMs: number;
  ms: number;
}

export const phaseWords: Readonly<Record<PhaseName, { label: string; says: string }>> = {
  dns: { label: 'DNS', says: 'the address of the name' },
  connect: { label: 'Connect', says: 'the TCP connection' },
  tls: { label: 'TLS', says: 'the handshake' },
  wait: { label: 'Wait', says: 'the request sent, until the first byte of the answer' },
  body: { label: 'Body', says: 'the rest of the answer' },
  open: { label: 'No connection', says: 'none could be opened' },
};

export type Connection = 'new' | 'reused' | 'none';

interface Tried {
  outcome: string;
  address: string | null;
  timings: Timings;
}

const neverOpened = new Set(['dns', 'connect', 'tls', 'blocked_address', 'secret_unreadable']);

/** Which connection an attempt went over: a new one has its phases, one that was kept open has none. */
export function connectionOf({ outcome, address, timings }: Tried): Connection {
  if (timings.connect !== undefined) return 'new';
  return address === null || neverOpened.has(outcome) ? 'none' : 'reused';
}

/**
 * The phases of an attempt one after another, up to its total. What opening a connection does not cover is the wait for
 * the answer; of a connection whose opening began before this attempt, no more is shown than fits.
 */
export function phasesOf(tried: Tried): Phase[] {
  const { first_byte, total = first_byte ?? 0, ...opening } = tried.timings;
  if (connectionOf(tried) === 'none') return total > 0 ? [{ name: 'open', startMs: 0, ms: total }] : [];
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

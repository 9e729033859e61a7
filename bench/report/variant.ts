import {
  bareVariant,
  gatewayVariant,
  type SharedTier,
  scaleTier,
  thinVariant,
  type Variant,
  type Work,
} from '../delivery-parts.ts';
import { openQueue, type PostgresQueue } from './job-queues.ts';

/** One variant in a process of its own: it stores events, and sends their deliveries. Its parent tells it when. */
export interface Begin {
  /** `gateway`, or what it is with the name of its job queue: `bare BullMQ`, `least pg-boss`. */
  name: string;
  urls: string[];
  /** One event is delivered to so many URLs. */
  fanOut: number;
  /** The gateway's: the subjects that each endpoint wants. Without it, each wants all. */
  perimeters?: string[][] | undefined;
}

/** Either as fast as possible, or so many events a second, each at its time. Event `i` has the name `SUBJECT/PREFIXi`. */
export interface Load {
  prefix: string;
  events: number;
  /** Event `i` is about the `i`th of them, in turns. */
  subjects: string[];
  perSecond?: number;
  /** Events in one change. Default: one, as in an API. */
  together?: number;
}

/** The times of an event, in milliseconds since 1970. `sentMs`: of its first attempt. */
export interface Timed {
  /** Its deliveries have this header `webhook-id`, with a number after `~` where there are no events. */
  id: string;
  dueMs: number;
  committedMs: number;
  sentMs: number;
}

/** Callers whose changes run side by side. */
const changesAtOnce = 16;
/** Many attempts soon, so that an outage of some minutes exhausts none. */
const scheduleSeconds = [0, 1, 2, ...Array.from({ length: 200 }, () => 5)];
const nowMs = () => performance.timeOrigin + performance.now();

async function open({ name, urls, fanOut, perimeters }: Begin) {
  const tier = await scaleTier();
  if (name === 'gateway') {
    const perimeter = perimeters && ((index: number) => perimeters[index] ?? null);
    const variant = await gatewayVariant(tier, urls, {
      ...(perimeter && { perimeter }),
      settings: { scheduleSeconds },
    });
    return { tier, variant: variant as Variant, namesOf: (event: string) => [event], sends: () => sendsOf(tier) };
  }
  const sent = new Map<string, { id: string; sentMs: number }>();
  const onSend = (id: string) => {
    const event = id.split('~')[0] as string;
    if (!sent.has(event)) sent.set(event, { id: event, sentMs: nowMs() });
  };
  const [kind, queue] = [name.split(' ')[0], name.slice(name.indexOf(' ') + 1)];
  const bare = (work: Work) =>
    queue === 'BullMQ' ? tier.bare(work) : openQueue(queue as PostgresQueue, tier.environment.DATABASE_URL, work);
  const parts = { bare, query: tier.query };
  const variant = kind === 'bare' ? await bareVariant(parts, urls, onSend) : await thinVariant(parts, urls, onSend);
  const namesOf = (event: string) => Array.from({ length: fanOut }, (_, index) => `${event}~${index}`);
  return { tier, variant, namesOf, sends: async () => sent };
}

/** The id and the first attempt of each event, from the record. Its name begins the field that fills its body. */
async function sendsOf(tier: SharedTier): Promise<Map<string, { id: string; sentMs: number }>> {
  const { rows } = (await tier.query(`
    select e.id, substring(e.body from '"filling":"([^x]+)x') as name, min(a.started_at)::float8 as at from passerelle.events e
    join passerelle.deliveries d on d.event_id = e.id join passerelle.attempts a on a.delivery_id = d.id group by 1, 2`)) as {
    rows: { id: string; name: string; at: number }[];
  };
  return new Map(rows.map(({ id, name, at }) => [name, { id, sentMs: at }]));
}

const opened = await new Promise<Awaited<ReturnType<typeof open>>>((resolve) => {
  process.once('message', (begin: Begin) => resolve(open(begin)));
});
const { tier, variant, namesOf, sends } = opened;
const events: { name: string; dueMs: number; committedMs: number }[] = [];

async function emit(names: string[], dueMs: number): Promise<void> {
  await variant.emit(names.flatMap(namesOf));
  const committedMs = nowMs();
  for (const name of names) events.push({ name, dueMs, committedMs });
}

async function run({ prefix, events: count, subjects, perSecond, together = 1 }: Load): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${subjects[index % subjects.length]}/${prefix}${index}`);
  const began = nowMs();
  if (perSecond === undefined) {
    const changes = Array.from({ length: Math.ceil(count / together) }, (_, index) => index * together).values();
    const emitAll = async () => {
      for (const from of changes) await emit(names.slice(from, from + together), nowMs());
    };
    await Promise.all(Array.from({ length: changesAtOnce }, emitAll));
    return;
  }
  const under: Promise<void>[] = [];
  for (const [index, name] of names.entries()) {
    const dueMs = began + (index / perSecond) * 1000;
    if (dueMs > nowMs()) await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - nowMs())));
    under.push(emit([name], dueMs));
  }
  await Promise.all(under);
}

const asks = {
  run,
  /** Forgets what was timed, such as the warm-up. */
  forget: async () => void events.splice(0),
  /** Waits for the record of attempts, which follows their answers. */
  async times(): Promise<Timed[]> {
    for (;;) {
      const found = await sends();
      const timed = events.flatMap(({ name, ...times }) => {
        const sent = found.get(name);
        return sent ? { ...times, ...sent } : [];
      });
      if (timed.length === events.length) return timed;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
  /** Waits until no event awaits its fan-out, and no delivery is on its way: each has ended, or waits in its lane. */
  async parked() {
    const moving = `select (select count(*) from passerelle.events where fanned_out_at is null)::int
      + (select count(*) from passerelle.deliveries where status = 'pending' and not parked)::int as moving`;
    for (;;) {
      const { rows } = (await tier.query(moving)) as { rows: { moving: number }[] };
      if (rows[0]?.moving === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  },
  async close() {
    await variant.close();
    await tier.close();
  },
};
export type Asks = typeof asks;

process.on('message', async ({ ask, given }: { ask: keyof Asks; given: Load }) => {
  process.send?.({ answer: await asks[ask](given) });
  if (ask === 'close') process.exit();
});
process.send?.({ answer: 'ready' });

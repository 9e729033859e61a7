import type { Logger } from '../../base/log.ts';
import type { Tallier } from '../../figures/tallier.ts';
import type { Gate } from '../../queue/gate/port.ts';
import type { Job, Queue } from '../../queue/port.ts';
import type { Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';
import { FailureWindow } from '../endpoints/health.ts';
import { jobsOf, nextJob, seenOf } from '../model/jobs.ts';
import type { DeliveryListener } from '../model/listener.ts';
import { skipDeliveries } from '../model/skip.ts';
import type { Fresh } from '../outbox/fresh.ts';
import type { Exchange } from '../sending/exchange.ts';
import { type Admission, admit, type Owed } from './admit.ts';
import { type AttemptParts, makeAttempt } from './attempt.ts';
import { InFlight } from './flights.ts';
import { Groups } from './groups.ts';
import type { Lanes } from './lanes.ts';
import { type Made, type Recorded, record } from './record.ts';

export interface DeliverParts extends AttemptParts {
  store: Store;
  queue: Queue;
  gate: Gate;
  fresh: Fresh;
  lanes: Lanes;
  log: Logger;
  listener: DeliveryListener;
  /** Attempts in flight at once at an endpoint that says nothing else. */
  maxInFlight: number;
  /** An endpoint that gave nothing but failures for this long is disabled. */
  disableAfterMs: number;
  /** How long an attempt can last. */
  deadlineMs: number;
  /** Where attempts are counted; nowhere in a stub. */
  tallier?: Tallier | undefined;
  /** Called when there are events of the gateway's own to fan out. */
  noticed(): void;
}

interface Lease {
  endpointId: string;
  deliveryId: string;
}

/** Rows of one statement; past it a group is cut, so that no transaction is long. */
const groupOf = 200;
const pauseMs = 1000;
const detachAfterMs = 250;
/** Bounds what the attempts under way hold in memory. */
const mostDetached = 1000;

/**
 * Makes the attempts that jobs stand for: admit, sign and POST, record, queue the next one. What needs the store is done
 * for a group of jobs together, and each job waits for its group: nothing is acknowledged that is not written.
 */
export class Deliverer {
  readonly #parts: DeliverParts;
  readonly #inFlight = new InFlight();
  readonly #window = new FailureWindow();
  readonly #detached = new Set<Promise<void>>();
  readonly #admitting: Groups<Job, Admission>;
  readonly #parking: Groups<Owed>;
  readonly #skipping: Groups<{ delivery: Row<'deliveries'>; reason: SkipReason }>;
  readonly #recording: Groups<Made, Recorded>;
  readonly #queueing: Groups<Row<'deliveries'>>;
  readonly #leaving: Groups<Lease>;
  readonly #reserving: Groups<Row<'deliveries'>, Row<'deliveries'> | undefined>;
  #stopped = false;
  #wakeUp = () => {};

  constructor(parts: DeliverParts) {
    this.#parts = parts;
    const { store, log, clock, disableAfterMs, random, tallier, noticed } = parts;
    const recording = {
      store,
      log,
      window: this.#window,
      health: { disableAfterMs, random },
      tallier,
      noticed,
      pause: () => this.#pause(),
    };
    this.#admitting = new Groups((jobs) => admit(parts, jobs, clock.now()), groupOf);
    this.#parking = new Groups((owed) => park(parts, owed), groupOf);
    this.#skipping = new Groups((ended) => skip(parts, ended), groupOf);
    this.#recording = new Groups((made) => record(recording, made), groupOf);
    this.#leaving = new Groups(async (leases) => void (await parts.gate.leave(leases)), groupOf);
    this.#reserving = new Groups((deliveries) => reserve(parts, deliveries), groupOf);
    this.#queueing = new Groups((deliveries) => queueNext(parts, deliveries), groupOf);
  }

  /** A job whose delivery is done, or whose attempt was recorded already, does nothing; so a job may come twice. */
  async deliver(job: Job): Promise<void> {
    for (;;) {
      const admission = await this.#admitting.do(job);
      if (admission.kind === 'nothing') return;
      if (admission.kind === 'skip') return this.#skipping.do(admission);
      const { owed } = admission;
      if (admission.kind === 'go') return this.#begin(owed, job);
      const soon = admission.kind === 'full' && (await this.#inFlight.roomSoon(owed.endpoint.id));
      if (!soon) return this.#parking.do(owed);
    }
  }

  /** Resolves when the attempt has ended, or when it takes long and its job was let go. */
  async #begin(owed: Owed, job: Job): Promise<void> {
    const { promise: letGo, resolve } = Promise.withResolvers<void>();
    const ended = this.#attempt(owed, job.attempt, () => {
      const logged = ended.catch((error: unknown) => this.#parts.log.error({ err: error, ...job }, 'job.failed'));
      const detached: Promise<void> = logged.finally(() => this.#detached.delete(detached));
      this.#detached.add(detached);
      resolve();
    });
    return Promise.race([ended, letGo]);
  }

  /**
   * Waits for a request; lets go of the job of one that takes long, so that endpoints that do not answer keep no worker from
   * the others. Before that the delivery's row says that nobody else is to attempt it while this one can last; should this
   * process die, a job for the moment after that makes it again.
   */
  async #patiently<R>(request: Promise<R>, owed: Owed, letGo: () => void): Promise<R> {
    const { promise: long, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(!this.#stopped && this.#detached.size < mostDetached), detachAfterMs);
    const ended = request.then(() => false).finally(() => clearTimeout(timer));
    if (!(await Promise.race([ended, long]))) return request;
    const moved = await this.#reserving.do(owed.delivery).catch(() => undefined);
    if (moved) {
      owed.delivery = moved;
      letGo();
    }
    return request;
  }

  /** Resolves when the attempts that jobs did not wait for have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#detached);
  }

  /** Begins anew to count failures: the endpoints are as they were once. */
  forget(): void {
    this.#window.forgetAll();
  }

  /** Stops waiting for a store that is away: attempts that it could not take are made again some day. */
  stop(): void {
    this.#stopped = true;
    this.#wakeUp();
  }

  async #attempt(owed: Owed, number: number, letGo: () => void): Promise<void> {
    const { lanes, log } = this.#parts;
    const lease = leaseOf(owed);
    try {
      const request = this.#inRoom(lease, () => makeAttempt(this.#parts, owed, number));
      const { made, exchange } = await this.#patiently(request, owed, letGo);
      const after = await this.#recording.do(made);
      if (!after) return log.warn({ ...lease, attempt: number }, 'attempt.made_twice');
      report(this.#parts, { ...owed, delivery: after }, made.row, exchange);
      if (after.next_attempt_at !== null) await this.#queueing.do(after);
    } finally {
      if (owed.endpoint.ordered) lanes.watch([lease.endpointId]);
      else lanes.room(lease.endpointId);
    }
  }

  /** The endpoint's room is taken while the request is under way, and not while its record is written. */
  async #inRoom<R>({ endpointId, deliveryId }: Lease, work: () => Promise<R>): Promise<R> {
    this.#inFlight.begin(endpointId, deliveryId);
    try {
      return await work();
    } finally {
      this.#inFlight.end(endpointId, deliveryId);
      await this.#leaving.do({ endpointId, deliveryId });
    }
  }

  #pause(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(!this.#stopped), this.#stopped ? 0 : pauseMs);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }
}

const leaseOf = ({ endpoint, delivery }: Owed): Lease => ({ endpointId: endpoint.id, deliveryId: delivery.id });

async function park({ store, lanes }: DeliverParts, owed: Owed[]): Promise<undefined> {
  const ids = owed.map(({ delivery }) => delivery.id);
  await store.update('deliveries', { id: { in: ids }, status: 'pending', parked: false }, { parked: true });
  lanes.watch([...new Set(owed.map(({ endpoint }) => endpoint.id))]);
}

async function skip(
  { store, clock, listener, lanes }: DeliverParts,
  ended: { delivery: Row<'deliveries'>; reason: SkipReason }[],
): Promise<undefined> {
  for (const reason of new Set(ended.map((one) => one.reason))) {
    const ids = ended.filter((one) => one.reason === reason).map(({ delivery }) => delivery.id);
    const skipped = await store.transaction((tx) =>
      skipDeliveries(tx, { id: { in: ids }, status: 'pending' }, { reason, now: clock.now() }),
    );
    if (skipped > 0) listener.ended('skipped', skipped);
  }
  lanes.watch([...new Set(ended.map(({ delivery }) => delivery.endpoint_id))]);
}

/**
 * Puts off what is due by as long as an attempt can last, with a job for then, which finds nothing to do unless this process
 * died; none for what somebody else has moved meanwhile.
 */
async function reserve(
  { store, queue, clock, deadlineMs }: DeliverParts,
  deliveries: Row<'deliveries'>[],
): Promise<(Row<'deliveries'> | undefined)[]> {
  const delayMs = 2 * deadlineMs;
  const next = { next_attempt_at: clock.now() + delayMs };
  const moves = deliveries.map((delivery) => ({ id: delivery.id, seen: seenOf(delivery), next }));
  const moved = new Set(await store.advance('deliveries', moves));
  const reserved = deliveries.map((delivery) => (moved.has(delivery.id) ? { ...delivery, ...next } : undefined));
  // What the queue does not take, the reconciler finds.
  await queue
    .add(
      jobsOf(
        reserved.filter((delivery) => delivery !== undefined),
        delayMs,
      ),
    )
    .catch(() => {});
  return reserved;
}

async function queueNext({ queue, clock }: DeliverParts, deliveries: Row<'deliveries'>[]): Promise<undefined> {
  const now = clock.now();
  await queue.add(deliveries.map((one) => ({ ...nextJob(one), delayMs: (one.next_attempt_at ?? now) - now })));
}

function report({ log, listener }: DeliverParts, { delivery, event }: Owed, row: Row<'attempts'>, exchange: Exchange): void {
  const { outcome, number } = row;
  const attempted = {
    deliveryId: delivery.id,
    attemptId: row.id,
    eventId: event.id,
    eventType: event.type,
    endpointId: row.endpoint_id,
    attempt: number,
    outcome,
    responseStatus: exchange.status,
    address: exchange.address,
    durationMs: exchange.timings.total ?? 0,
    manual: row.manual,
    status: delivery.status,
    nextAttemptAt: delivery.next_attempt_at,
    error: exchange.error,
  };
  log.info(attempted, 'delivery.attempted');
  listener.attempted({ ...attempted, url: row.url });
  if (delivery.status !== 'pending') listener.ended(delivery.status === 'delivered' ? 'delivered' : 'failed', 1);
}

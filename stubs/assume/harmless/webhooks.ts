import { z } from 'zod';
import { type Clock, systemClock } from '../../../gateway/base/clock.ts';
import { Refusal } from '../../../gateway/base/errors.ts';
import type { Logger } from '../../../gateway/base/log.ts';
import type { NewJob, Queue } from '../../../gateway/queue/port.ts';
import type { Row } from '../../../gateway/store/tables/index.ts';
import type { AttemptReport } from '../../../gateway/webhooks/model/listener.ts';
import { resendDelivery } from '../../../gateway/webhooks/operator/manual.ts';
import type { RunChange } from '../../../gateway/webhooks/outbox/change.ts';
import type { EventDefinition } from '../../../gateway/webhooks/outbox/event.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Has } from './json.ts';
import { newEvents } from './new-events.ts';

export interface WebhookChangeParts {
  api: ServiceName;
  queue: Queue;
  clock: Clock;
  log: Logger;
  change: RunChange;
  /** Returns true for events of the API, and false for notices of the gateway. */
  isOfApi(type: string): boolean;
  /** Tells of each recorded attempt. Returns what ends it. */
  onAttempt(listener: (attempt: AttemptReport) => void): () => void;
}

/** The first job of a delivery, which is held back. */
interface Held {
  endpoint: string;
  job: NewJob;
  dueMs: number;
  /** The delivery whose first attempt it waits for. Absent while it waits for the next one to its endpoint. */
  follows?: string;
  cancel(): void;
}

/** How long a webhook waits for the next one, by the machine's clock: a stub's may stand still. */
const heldMs = 1000;

const lateMs = 2000;

/** Sends webhooks twice, later or in another order, and further events beside them. */
export class ChangedWebhooks {
  readonly #parts: WebhookChangeParts;
  readonly #has: Has;
  #held: Held[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  #ended = false;

  constructor(parts: WebhookChangeParts, has: Has) {
    this.#parts = parts;
    this.#has = has;
    this.#stopListening = parts.onAttempt((attempt) => this.#attempted(attempt));
  }

  /** Sees a new event before it is stored. */
  made({ id, type, subject, caused_by }: Row<'events'>): void {
    const { api, change } = this.#parts;
    if (!this.#has('new-events') || type === newEvents[api]) return;
    // The change that stores the event ends first, and may be undone.
    this.#run(() =>
      change(async ({ tx, now, emit }) => {
        if (await tx.get('events', { id })) emit(newEventOf(api), { subject, data: { updated_at: new Date(now).toISOString() } });
      }, caused_by),
    );
  }

  /** Returns the jobs to queue now, of those that are due. */
  jobs(jobs: readonly NewJob[], due: readonly Row<'deliveries'>[]): NewJob[] {
    return jobs.flatMap((job, at) => {
      const delivery = due[at];
      return delivery && this.#isFirst(delivery) ? this.#first(job, delivery) : [job];
    });
  }

  /** Does what still waits. Returns false if nothing waited. */
  async settle(): Promise<boolean> {
    if (this.#running.size > 0) {
      await Promise.all(this.#running);
      return true;
    }
    return this.#sendHeld(this.#waitsForNobody);
  }

  /** Ends it. Webhooks that were held back are sent, unless they are dropped together with the stub's data. */
  end(held: 'send' | 'drop'): void {
    this.#ended = true;
    this.#stopListening();
    if (held === 'send') this.#sendHeld(() => true);
    for (const { cancel } of this.#held) cancel();
  }

  /** A resend, a test and a recovery have a reason. */
  #isFirst({ attempts, reason, event_type }: Row<'deliveries'>): boolean {
    return attempts === 0 && reason === null && this.#parts.isOfApi(event_type);
  }

  #first(job: NewJob, { id, endpoint_id: endpoint }: Row<'deliveries'>): NewJob[] {
    const dueMs = this.#parts.clock.now() + (this.#has('late-webhooks') ? lateMs : job.delayMs);
    const before = this.#held.find((one) => one.endpoint === endpoint && one.follows === undefined);
    if (this.#has('reordered-webhooks') && before === undefined) {
      const cancel = systemClock.after(heldMs, () => this.#sendHeld(this.#waitsForNobody));
      this.#held.push({ endpoint, job, dueMs, cancel });
      return [];
    }
    if (before) before.follows = id;
    return [this.#at(dueMs, job)];
  }

  #at(dueMs: number, job: NewJob): NewJob {
    return { ...job, delayMs: Math.max(0, dueMs - this.#parts.clock.now()) };
  }

  #attempted({ deliveryId, eventType, outcome, manual }: AttemptReport): void {
    this.#sendHeld(({ follows }) => follows === deliveryId);
    const isAccepted = outcome === 'success' && !manual && this.#parts.isOfApi(eventType);
    if (this.#has('duplicate-webhooks') && isAccepted)
      this.#run(() => this.#parts.change(async (step) => void (await resendDelivery(step, deliveryId))));
  }

  /** A late webhook may be far from its first attempt, by the clock of the stub. The one behind it waits for that attempt. */
  #waitsForNobody = ({ follows }: Held): boolean => !this.#has('late-webhooks') || follows === undefined;

  /** Returns false if nothing was held. */
  #sendHeld(isSent: (held: Held) => boolean): boolean {
    const sent = this.#held.filter(isSent);
    this.#held = this.#held.filter((one) => !sent.includes(one));
    for (const { cancel, job, dueMs } of sent) {
      cancel();
      void this.#parts.queue.add([this.#at(dueMs, job)]);
    }
    return sent.length > 0;
  }

  #run(work: () => Promise<void>): void {
    const running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      // A refusal: the endpoint was removed in the meantime.
      .catch((error) => {
        if (!this.#ended && !(error instanceof Refusal)) this.#parts.log.error({ err: error }, 'assume.failed');
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const newEventOf = (api: ServiceName): EventDefinition => ({
  type: newEvents[api],
  service: api,
  summary: '',
  data: z.unknown(),
  example: {},
  gaps: [],
});

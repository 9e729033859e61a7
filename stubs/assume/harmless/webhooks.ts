import { z } from 'zod';
import type { ServiceName } from '../../../contracts/documents/services.ts';
import { systemClock } from '../../../gateway/base/clock.ts';
import { Refusal } from '../../../gateway/base/errors.ts';
import type { Job } from '../../../gateway/queue/port.ts';
import type { Row } from '../../../gateway/store/tables/index.ts';
import type { AttemptReport } from '../../../gateway/webhooks/model/listener.ts';
import { resendDelivery } from '../../../gateway/webhooks/operator/manual.ts';
import type { EventDefinition } from '../../../gateway/webhooks/outbox/event.ts';
import type { Work, WorkParts } from '../work.ts';
import { newEvents } from './new-events.ts';

export interface WebhookChanges {
  hasNewEvents: boolean;
  hasDuplicates: boolean;
  isReordered: boolean;
  isLate: boolean;
}

type NewJob = Job & { delayMs: number };

interface Held {
  job: NewJob;
  cancel(): void;
}

const lateMs = 2000;
/** How long a webhook waits for the next one, by the machine's clock: a stub's may stand still. */
const heldMs = 1000;

export function changeWebhooks(parts: WorkParts, changes: WebhookChanges): Work {
  return new Changed(parts, changes);
}

class Changed implements Work {
  readonly #parts: WorkParts;
  readonly #changes: WebhookChanges;
  /** The endpoints of deliveries whose first job has not been queued yet. */
  readonly #fresh = new Map<string, string>();
  /** By endpoint: the job that waits for the next one. */
  readonly #waiting = new Map<string, Held>();
  /** By delivery: the job that follows its first attempt. */
  readonly #following = new Map<string, Held>();
  readonly #running = new Set<Promise<void>>();
  readonly #ends: (() => void)[];
  #ended = false;

  constructor(parts: WorkParts, changes: WebhookChanges) {
    this.#parts = parts;
    this.#changes = changes;
    const { queue, onAttempt } = parts;
    const add = queue.add.bind(queue);
    queue.add = (jobs) => add(this.#timed(jobs));
    this.#ends = [onAttempt((attempt) => this.#attempted(attempt)), () => Reflect.deleteProperty(queue, 'add')];
  }

  storing(table: string, rows: readonly unknown[]): void {
    if (table === 'events') for (const row of rows as Row<'events'>[]) this.#storingEvent(row);
    if (table === 'deliveries') for (const row of rows as Row<'deliveries'>[]) this.#storingDelivery(row);
  }

  async settle(): Promise<boolean> {
    if (this.#running.size > 0) {
      await Promise.all(this.#running);
      return true;
    }
    return this.#sendHeld(this.#followingWaits);
  }

  end(held: 'send' | 'drop'): void {
    this.#ended = true;
    for (const end of this.#ends) end();
    if (held === 'send') this.#sendHeld();
    for (const { cancel } of [...this.#waiting.values(), ...this.#following.values()]) cancel();
    this.#fresh.clear();
  }

  #storingEvent({ id, type, subject, caused_by }: Row<'events'>): void {
    const { api, change, isOfApi } = this.#parts;
    if (!this.#changes.hasNewEvents || !isOfApi(type) || type === newEvents[api]) return;
    // The change that stores the event ends first, and may be undone.
    this.#run(() =>
      change(async ({ tx, now, emit }) => {
        if (await tx.get('events', { id })) emit(newEventOf(api), { subject, data: { updated_at: new Date(now).toISOString() } });
      }, caused_by),
    );
  }

  #storingDelivery(row: Row<'deliveries'>): void {
    const isFirst = row.status === 'pending' && row.attempts === 0 && !row.parked && row.next_attempt_at !== null;
    if (!isFirst || this.#fresh.has(row.id) || !this.#parts.isOfApi(row.event_type)) return;
    this.#fresh.set(row.id, row.endpoint_id);
    if (this.#changes.isLate) row.next_attempt_at = (row.next_attempt_at ?? 0) + lateMs;
  }

  /** Returns the jobs to queue now. A job waits until its delivery is due, whatever its caller says. */
  #timed(jobs: readonly NewJob[]): NewJob[] {
    return jobs.flatMap((job) => {
      const endpoint = this.#fresh.get(job.deliveryId);
      if (endpoint === undefined) return [job];
      this.#fresh.delete(job.deliveryId);
      if (!this.#changes.isReordered) return [this.#due(job)];
      const before = this.#waiting.get(endpoint);
      if (before === undefined) {
        this.#hold(endpoint, job);
        return [];
      }
      this.#waiting.delete(endpoint);
      this.#following.set(job.deliveryId, before);
      return [this.#due(job)];
    });
  }

  #due(job: NewJob): NewJob {
    return { ...job, delayMs: Math.max(job.delayMs, job.dueAt - this.#parts.clock.now()) };
  }

  #hold(endpoint: string, job: NewJob): void {
    const held = { job, cancel: systemClock.after(heldMs, () => this.#sendHeld(this.#followingWaits)) };
    this.#waiting.set(endpoint, held);
  }

  #attempted({ deliveryId, eventType, outcome, manual }: AttemptReport): void {
    const following = this.#following.get(deliveryId);
    this.#following.delete(deliveryId);
    if (following) this.#send(following);
    const isAccepted = outcome === 'success' && !manual && this.#parts.isOfApi(eventType);
    if (this.#changes.hasDuplicates && isAccepted)
      this.#run(() => this.#parts.change(async (step) => void (await resendDelivery(step, deliveryId))));
  }

  /** A late webhook may be far from its first attempt, by the clock of the stub. The one behind it waits for that attempt. */
  get #followingWaits(): boolean {
    return this.#changes.isLate;
  }

  /** Returns false if nothing was held. */
  #sendHeld(followingWaits = false): boolean {
    const held = [...(followingWaits ? [] : this.#following.values()), ...this.#waiting.values()];
    if (!followingWaits) this.#following.clear();
    this.#waiting.clear();
    for (const one of held) this.#send(one);
    return held.length > 0;
  }

  #send({ job, cancel }: Held): void {
    cancel();
    void this.#parts.queue.add([this.#due(job)]);
  }

  #run(work: () => Promise<void>): void {
    const running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      // A refusal: the endpoint was removed in the meantime.
      .catch((error) => {
        if (!this.#ended && !(error instanceof Refusal)) this.#parts.log.error({ err: error }, 'harmless.failed');
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const newEventOf = (api: ServiceName): EventDefinition => ({
  ...{ type: newEvents[api], service: api, summary: '', data: z.unknown(), example: {}, gaps: [] },
});

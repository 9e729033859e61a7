import type { Clock } from '../../gateway/base/clock.ts';
import type { Logger } from '../../gateway/base/log.ts';
import type { Change, RunChange } from '../../gateway/webhooks/outbox/change.ts';
import type { Assumptions } from './assumptions.ts';

export interface CalendarParts {
  assumptions: Assumptions;
  clock: Clock;
  change: RunChange;
  log: Logger;
}

/** Such as `2026-12`. */
const monthBefore = (atMs: number) => new Date(atMs - 1).toISOString().slice(0, 7);

/** What happens on the first day of a month, by the alternative under which it does. The verbs are loaded when they are needed. */
const happenings: Readonly<Record<string, (change: Change) => Promise<unknown>>> = {
  async 'cohesion.plan-closed-condition=end-of-year'(change) {
    const { closePlan } = await import('../../gateway/api/cohesion/back-office/plans.ts');
    const annee = { lt: new Date(change.now).getUTCFullYear() };
    for (const plan of await change.tx.list('plans', { where: { statut: 'open', annee }, order: [['annee', 'asc']] }))
      await closePlan(change, plan);
  },
  async 'cohesion.rapport-ready-condition=by-period'(change) {
    const { produceReport } = await import('../../gateway/api/cohesion/back-office/reports.ts');
    const month = monthBefore(change.now);
    return produceReport(change, { annee: Number(month.slice(0, 4)), titre: `Rapport mensuel ${month}` });
  },
};

/** Makes happen what the calendar causes under alternatives. It waits only while alternatives are active. */
export class Calendar {
  readonly #parts: CalendarParts;
  #cancel = () => {};
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: CalendarParts) {
    this.#parts = parts;
    parts.assumptions.onChange(() => this.follow());
    this.follow();
  }

  /** Resolves when everything that has happened is stored. */
  async settled(): Promise<void> {
    await this.#running;
  }

  close(): void {
    this.#cancel();
  }

  /** Waits for the next month, by the clock and the alternatives as they are now. */
  follow(): void {
    const { assumptions, clock } = this.#parts;
    this.#cancel();
    if (assumptions.live === undefined) return;
    const now = new Date(clock.now());
    const dueMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    this.#cancel = clock.after(dueMs - clock.now(), () => {
      this.#happen();
      this.follow();
    });
  }

  #happen(): void {
    const { assumptions, change, log } = this.#parts;
    for (const [assumed, happen] of Object.entries(happenings))
      if (assumptions.live?.isActive(assumed))
        this.#running = this.#running
          .then(() => change(happen, 'stub'))
          .catch((error: unknown) => log.error({ err: error }, 'calendar.failed'));
  }
}

import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { Variant } from './types.ts';
import { Running, type Work, type WorkParts } from './work.ts';

/** Makes something happen on the first day of each month, by the clock of the stub. */
class Monthly implements Work {
  readonly #parts: WorkParts;
  readonly #happen: (change: Change) => Promise<unknown>;
  readonly #running: Running;
  #cancel = () => {};

  constructor(parts: WorkParts, happen: (change: Change) => Promise<unknown>) {
    this.#parts = parts;
    this.#happen = happen;
    this.#running = new Running(parts.log);
    this.#wait();
  }

  storing(): void {}

  settle(): Promise<boolean> {
    return this.#running.settle();
  }

  end(): void {
    this.#cancel();
  }

  #wait(): void {
    const { clock, change } = this.#parts;
    const now = new Date(clock.now());
    const dueMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    this.#cancel = clock.after(dueMs - clock.now(), () => {
      this.#running.add(() => change(this.#happen, 'stub'));
      this.#wait();
    });
  }
}

const eachMonth = (happen: (change: Change) => Promise<unknown>): Variant => ({ work: (parts) => new Monthly(parts, happen) });

/** Such as `2026-12`. */
const monthBefore = (atMs: number) => new Date(atMs - 1).toISOString().slice(0, 7);

/** The verbs are loaded when they are needed. */
export const closedYears = eachMonth(async (change) => {
  const { closePlan } = await import('../../gateway/api/cohesion/back-office/plans.ts');
  const annee = { lt: new Date(change.now).getUTCFullYear() };
  for (const plan of await change.tx.list('plans', { where: { statut: 'open', annee }, order: [['annee', 'asc']] }))
    await closePlan(change, plan);
});

export const monthlyReports = eachMonth(async (change) => {
  const { produceReport } = await import('../../gateway/api/cohesion/back-office/reports.ts');
  const month = monthBefore(change.now);
  return produceReport(change, { annee: Number(month.slice(0, 4)), titre: `Rapport mensuel ${month}` });
});

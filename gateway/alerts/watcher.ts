import { textOf } from '../base/log.ts';
import { type Lease, StoreUnavailable } from '../store/port.ts';
import { type AlertRuleName, alertRuleNames } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import { alertOf, endAlerts, openAlerts, takes } from './alerts.ts';
import { type Audience, type DispatchParts, dispatch, operatorsOf, partnersOf, partnersServer } from './dispatch.ts';
import { messageRow } from './messages.ts';
import { type AlertSources, alertRules, lastsMs, maxSubjects, storeDown } from './rules.ts';
import { messageOf } from './texts.ts';

export interface AlertParts extends DispatchParts {
  sources: AlertSources;
  /** Stores pending counts, so that a round sees everything before it. */
  upToDate(): Promise<void>;
  /** Ends the connections of the channels, after what is being sent. */
  closeChannels(sending: Promise<unknown>): Promise<void>;
  /** For tests: called when a round has ended, and the next one waits for its time. */
  roundEnded?: (() => void) | undefined;
}

type Channel = Row<'alert_channels'>;

const everyMs = 10_000;
/** How long the store or the queue may take to answer before it counts as down. */
const patienceMs = 5000;
/** Attempts to send the alert about the store, one in each round: what waits cannot be stored. */
const maxWithoutStore = 5;

/**
 * Watches the rules, and opens, sends and ends alerts. One process at a time does: it keeps a lease. Open alerts and waiting
 * messages are in the store, so a restart neither repeats nor loses them.
 */
export class AlertWatcher {
  readonly #parts: AlertParts;
  /** When each finding of each rule was first seen, by subject. */
  readonly #since = new Map<string, ReadonlyMap<string, number>>();
  /** The channels as they were last read, because the store itself may be down. */
  #channels: Channel[] = [];
  /** True if this process had the lease when the store last answered. */
  #watches = false;
  #storeDownSince: number | null = null;
  /** The alert that was sent about the store, until it can be stored. */
  #late: LateAlert | null = null;
  /** By audience. */
  readonly #sending = new Map<string, Promise<void>>();
  #running: Promise<void> | undefined;
  #wake = () => {};
  #closed = false;

  constructor(parts: AlertParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#running;
    await this.#parts.closeChannels(Promise.all(this.#sending.values()));
  }

  async #run(): Promise<void> {
    const { store } = this.#parts;
    while (!this.#closed) {
      try {
        await withPatience(store.ping());
        await this.#storeIsBack();
        // If another process has the lease, it watches, also while the store is away.
        this.#watches = await store.alone('alerts', (lease) => this.#watch(lease));
      } catch (error) {
        await this.#logged(() => this.#withoutStore(error));
      }
      await this.#pause();
    }
  }

  async #watch(lease: Lease): Promise<void> {
    this.#watches = true;
    while (!this.#closed && lease.isHeld()) {
      await this.#logged(() => this.#round());
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    if (this.#closed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#parts.clock.after(everyMs, resolve);
    this.#wake = () => {
      cancel();
      resolve();
    };
    this.#parts.roundEnded?.();
    await promise;
  }

  async #logged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Only the store's errors are logged whole: Redis errors carry the command.
      this.#parts.log.error(error instanceof StoreUnavailable ? { err: error } : { error: textOf(error) }, 'alerts.failed');
    }
  }

  async #round(): Promise<void> {
    const { store } = this.#parts;
    try {
      await withPatience(store.ping());
    } catch (error) {
      return this.#withoutStore(error);
    }
    await this.#storeIsBack();
    await this.#parts.upToDate();
    this.#channels = (await store.list('alert_channels')).filter(({ active }) => active);
    const open = await store.list('alerts', { where: { resolved_at: null }, order: [['id', 'asc']] });
    for (const rule of alertRuleNames)
      await this.#logged(() =>
        this.#check(
          rule,
          open.filter((one) => one.rule === rule),
        ),
      );
    const server = partnersServer(this.#channels);
    this.#send('operators', operatorsOf(this.#parts, this.#channels));
    if (server) this.#send('partners', partnersOf(this.#parts, server));
  }

  /** Not waited for, and one audience does not wait for another: a mail server that hangs must not delay the next round. */
  #send(name: string, audience: Audience): void {
    if (this.#sending.has(name)) return;
    const sending = this.#logged(() => dispatch(this.#parts, audience, () => this.#closed));
    this.#sending.set(
      name,
      sending.finally(() => this.#sending.delete(name)),
    );
  }

  /** Brings the alerts of one rule in line with its findings. */
  async #check(rule: AlertRuleName, open: readonly Row<'alerts'>[]): Promise<void> {
    const { store, clock, sources } = this.#parts;
    const now = clock.now();
    const patient = { ...sources, depth: () => withPatience(sources.depth()) };
    const subjects = open.map(({ subject }) => subject);
    const found = await alertRules[rule].find({ rows: store, sources: patient, now, open: subjects });
    if (found === null) return;
    const before = this.#since.get(rule);
    const troubled = new Map(found.map(({ subject }) => [subject, before?.get(subject) ?? now]));
    this.#since.set(rule, troubled);
    const over = found.length < maxSubjects ? open.filter(({ subject }) => !troubled.has(subject)) : [];
    for (const alert of await endAlerts(store, over, now)) this.#log(alert, 'alert.resolved');
    const known = new Set(subjects);
    const due = found.filter(({ subject }) => !known.has(subject) && now - (troubled.get(subject) ?? now) >= lastsMs);
    for (const alert of await openAlerts(store, rule, due, now)) this.#log(alert, 'alert.opened');
  }

  /** Sends the alert about the store from memory, because nothing can be read or stored. */
  async #withoutStore(error: unknown): Promise<void> {
    const { clock, log, send, consoleUrl } = this.#parts;
    const now = clock.now();
    this.#storeDownSince ??= now;
    if (!this.#watches || now - this.#storeDownSince < lastsMs) return;
    if (!this.#late) log.error({ error: textOf(error) }, 'alert.store_down');
    this.#late ??= lateAlert(this.#channels, this.#storeDownSince);
    const { alert, messages } = this.#late;
    const message = messageOf([{ kind: 'opened', alert }], consoleUrl());
    await Promise.all(
      this.#channels.map(async (channel) => {
        const known = messages.find(({ channel_id }) => channel_id === channel.id);
        if (!known || known.status === 'sent' || known.attempts >= maxWithoutStore) return;
        const { ok, answer } = await send(channel, message);
        const result = ok ? ({ status: 'sent', sent_at: now } as const) : ({ status: 'failed', sent_at: null } as const);
        Object.assign(known, { attempts: known.attempts + 1, answer, ...result });
      }),
    );
  }

  async #storeIsBack(): Promise<void> {
    this.#storeDownSince = null;
    if (this.#late) {
      const { alert, messages } = this.#late;
      // The next round ends the alert.
      await this.#parts.store.transaction(async (tx) => {
        const [stored] = await tx.insert('alerts', [alert], { onConflict: 'ignore' });
        if (stored) await tx.append('alert_messages', messages);
      });
    }
    this.#late = null;
  }

  #log({ id, rule, subject, severity }: Row<'alerts'>, event: string): void {
    this.#parts.log.warn({ alertId: id, rule, subject, severity }, event);
  }
}

/** An alert about the store itself, which is sent while it is away. */
interface LateAlert {
  alert: Row<'alerts'>;
  messages: Row<'alert_messages'>[];
}

const lateAlert = (channels: readonly Channel[], openedAt: number): LateAlert => {
  const alert = alertOf('storage', storeDown, openedAt);
  const receiving = channels.filter((channel) => takes(channel, 'storage'));
  return { alert, messages: receiving.map(({ id }) => messageRow(alert.id, id, 'opened', openedAt)) };
};

/** Rejects after `patienceMs`, because what hangs is down too. */
async function withPatience<R>(work: Promise<R>): Promise<R> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`There was no answer within ${patienceMs} ms.`)), patienceMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

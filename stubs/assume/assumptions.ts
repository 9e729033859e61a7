import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { MobileMoneyRule } from '../payments/rule.ts';
import type { ActiveAlternative, Assumed } from '../types.ts';
import type { ChangedWebhooks, WebhookChangeParts } from './harmless/webhooks.ts';
import type { Live } from './live.ts';

/** Reads `pos.sale-status=200,pos.payment-status=202,harmless.gzip`. Throws `CouldNotRun` for a text of another form, and if a gap has two alternatives. */
export function parseAssumed(texts: readonly string[]): Assumed {
  const chosen = new Map<string, string>();
  for (const text of texts.flatMap((list) => list.split(','))) {
    const [, harmless] = /^\s*(harmless\.[^=\s]+)\s*$/.exec(text) ?? [];
    const [, gap = '', id = ''] = harmless ? ['', harmless, 'on'] : (/^\s*([^=\s]+)=([^=\s]+)\s*$/.exec(text) ?? []);
    if (gap === '')
      throw new CouldNotRun(
        `assume: "${text.trim()}" is not GAP=ALTERNATIVE, such as pos.sale-status=200, and not a harmless change, such as harmless.gzip or harmless=all. See: passerelle gaps.`,
      );
    const before = chosen.get(gap);
    if (before !== undefined && before !== id)
      throw new CouldNotRun(`assume: ${gap} is given twice, as ${before} and as ${id}. A service has one choice: leave out one.`);
    chosen.set(gap, id);
  }
  return Object.fromEntries(chosen);
}

/** Alternatives as options and the control API take them: by gap, or as text. */
export const assumedOf = (given: Assumed | string | readonly string[]): Assumed =>
  typeof given === 'string' || isList(given) ? parseAssumed([given].flat()) : given;

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

type LiveModule = typeof import('./live.ts');
const loadLive = (): Promise<LiveModule> => import('./live.ts');

/** The alternatives under which a stub answers. Without any, nothing of them is loaded, and a call costs one look at `live`. */
export class Assumptions {
  readonly #api: ServiceName;
  #fromStart: Live | undefined;
  #parts: WebhookChangeParts | undefined;
  /** Changes webhooks on their way; undefined if there are no alternatives. */
  changedWebhooks: ChangedWebhooks | undefined;
  /** Increases with every change, so that replies of before are not given again. */
  version = 0;
  live: Live | undefined;

  constructor(api: ServiceName) {
    this.#api = api;
  }

  /** The active alternatives, in the register's order. */
  list(): ActiveAlternative[] {
    return this.live?.list.map((one) => ({ ...one })) ?? [];
  }

  /**
   * What happens to a payment that no rule of the stub takes. It is pending for half a minute, so that a test has time to look at
   * it.
   */
  get payment(): MobileMoneyRule | undefined {
    return this.live?.hasPendingPayments ? { status: 'pending', forMs: 30_000, end: 'received' } : undefined;
  }

  /** Makes exactly these active. Throws `CouldNotRun` for one that does not exist or cannot be played, and changes nothing. */
  async replace(assumed: Assumed): Promise<void> {
    if (Object.keys(assumed).length > 0) return this.#set(await loadLive(), assumed);
    this.become(undefined);
    await this.settle();
  }

  /** Makes these active too. A gap that has another alternative gets the new one. */
  async add(assumed: Assumed): Promise<void> {
    // Loaded before the active ones are read: of two calls at once, neither may lose what the other adds.
    const live = await loadLive();
    await this.#set(live, { ...this.#assumed(), ...assumed });
  }

  /** Returns false if the gap has no active alternative. Throws `CouldNotRun` for a name that is no entry. */
  async remove(gap: string): Promise<boolean> {
    const live = await loadLive();
    const before = Object.entries(this.#assumed());
    // `harmless` stands for all of them, as in `harmless=all`.
    const left = before.filter(([one]) => one !== gap && !(gap === 'harmless' && one.startsWith('harmless.')));
    if (left.length === before.length) {
      const unknown = live.notAnEntry(this.#api, gap);
      if (unknown !== undefined) throw new CouldNotRun(`assume: ${unknown}`);
      return false;
    }
    await this.#set(live, Object.fromEntries(left));
    return true;
  }

  connect(parts: WebhookChangeParts): void {
    this.#parts = parts;
    this.#change('send');
  }

  /** Does what alternatives still have to do. Returns false if that was nothing. */
  async settle(): Promise<boolean> {
    return (await this.changedWebhooks?.settle()) ?? false;
  }

  /** A `reset` brings back the alternatives that are active now. */
  start(): void {
    this.#fromStart = this.live;
  }

  reset(): void {
    this.become(this.#fromStart, 'drop');
  }

  close(): void {
    this.changedWebhooks?.end('drop');
  }

  /** The change takes effect before this function waits for anything. */
  async #set({ liveOf }: LiveModule, assumed: Assumed): Promise<void> {
    this.become(Object.keys(assumed).length === 0 ? undefined : liveOf(this.#api, assumed));
    await this.settle();
  }

  /** Makes these active. `held`: whether webhooks that earlier alternatives held back are sent or dropped. */
  become(next: Live | undefined, held: 'send' | 'drop' = 'send'): void {
    this.live = next;
    this.version += 1;
    this.#change(held);
  }

  #change(held: 'send' | 'drop'): void {
    this.changedWebhooks?.end(held);
    this.changedWebhooks = this.#parts && this.live?.changeWebhooks(this.#parts);
  }

  #assumed(): Assumed {
    return Object.fromEntries(this.list().map(({ gap, alternative }) => [gap, alternative]));
  }
}

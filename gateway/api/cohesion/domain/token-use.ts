import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import type { Services } from '../../../http/api.ts';
import type { Store } from '../../../store/port.ts';

interface Use {
  atMs: number;
  ip: string;
}

/** Collects uses for this long, so that one write stores the uses of many tokens. */
const delayMs = 1000;

/** Stores when and from which address each token was last used, at most once a second and only the latest use of each. */
export class TokenUse {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: FastifyBaseLogger;
  #pending = new Map<number, Use>();
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor({ store, clock, log }: Pick<Services, 'store' | 'clock' | 'log'>) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  note(tokenId: number, atMs: number, ip: string): void {
    this.#pending.set(tokenId, { atMs, ip });
    this.#writeSoon();
  }

  /** Stores all pending uses. If that fails, the uses stay pending and the promise rejects. */
  flush(): Promise<void> {
    const turn = this.#writing.then(() => this.#write());
    this.#writing = turn.catch(() => {});
    return turn;
  }

  /** Stores the pending uses and cancels the timer. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    await this.flush();
  }

  #writeSoon(): void {
    this.#cancel ??= this.#clock.after(delayMs, () => {
      this.#cancel = null;
      this.flush().catch((error: unknown) => {
        this.#log.error({ err: error, pending: this.#pending.size }, 'token_touches.failed');
        this.#writeSoon();
      });
    });
  }

  async #write(): Promise<void> {
    if (this.#pending.size === 0) return;
    const batch = this.#pending;
    this.#pending = new Map();
    try {
      await this.#store.transaction(async (tx) => {
        // One statement for all tokens that were last used at the same moment from the same address.
        for (const [{ atMs, ip }, ids] of groupAlike(batch)) {
          await tx.update('tokens', { id: { in: ids } }, { last_used_at: atMs, last_used_ip: ip });
        }
      });
    } catch (error) {
      this.#pending = new Map([...batch, ...this.#pending]);
      throw error;
    }
  }
}

function groupAlike(batch: ReadonlyMap<number, Use>): [Use, number[]][] {
  const groups = Map.groupBy(batch, ([, { atMs, ip }]) => `${atMs} ${ip}`);
  return [...groups.values()].map((uses) => [(uses[0] as [number, Use])[1], uses.map(([id]) => id)]);
}

const byStore = new WeakMap<Store, TokenUse>();

/** The one `TokenUse` of a store: the API notes uses in it, and the manage API flushes it before it lists tokens. */
export function tokenUseOf(services: Pick<Services, 'store' | 'clock' | 'log'>): TokenUse {
  const known = byStore.get(services.store) ?? new TokenUse(services);
  byStore.set(services.store, known);
  return known;
}

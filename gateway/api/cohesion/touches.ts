import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/port.ts';

interface Touch {
  at: number;
  ip: string;
}

/** How long a touch may wait for others to be written with it. */
const delayMs = 1000;

/** Writes behind when and from where each token was last used: at most once a second, the latest touch of each token. */
export class TokenTouches {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: FastifyBaseLogger;
  #pending = new Map<number, Touch>();
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, clock: Clock, log: FastifyBaseLogger) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  touch(tokenId: number, at: number, ip: string): void {
    this.#pending.set(tokenId, { at, ip });
    this.#writeSoon();
  }

  /** Writes what is pending and waits until it is stored. What could not be stored stays pending. */
  flush(): Promise<void> {
    const turn = this.#writing.then(() => this.#write());
    this.#writing = turn.catch(() => {});
    return turn;
  }

  /** Writes the rest, and puts off nothing more. */
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
        for (const { ids, at, ip } of groupAlike(batch)) {
          await tx.update('tokens', { id: { in: ids } }, { last_used_at: at, last_used_ip: ip });
        }
      });
    } catch (error) {
      this.#pending = new Map([...batch, ...this.#pending]);
      throw error;
    }
  }
}

function groupAlike(batch: ReadonlyMap<number, Touch>): (Touch & { ids: number[] })[] {
  const groups = new Map<string, Touch & { ids: number[] }>();
  for (const [id, touch] of batch) {
    const key = `${touch.at} ${touch.ip}`;
    const group = groups.get(key) ?? { ...touch, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

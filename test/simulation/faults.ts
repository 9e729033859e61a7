import type { Streams } from './random.ts';

/** What happens to a process or a server at a time. */
export const troubleKinds = [
  'store away',
  'store read-only',
  'queue away',
  'queue emptied',
  'queue fails over',
  'process killed',
  'process suspended',
  'clock far off',
  'proxy away',
] as const;
export type TroubleKind = (typeof troubleKinds)[number];

/** What can go wrong. */
export const faultKinds = [
  ...troubleKinds,
  'lost call',
  'lost answer',
  'slow call',
  'call without answer',
  'other master key',
  'clocks differ',
  'receiver refuses',
  'receiver refuses a store',
  'receiver hangs',
  'receiver late',
  'receiver fails',
  'receiver cuts',
  'receiver asks later',
  'receiver gone',
  'receiver down',
  'receiver away',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export type Server = 'store' | 'queue' | 'gate';

/** How long the adapters of the scale tier wait for an answer. */
const answerTimeoutMs = { store: 10_000, queue: 5000 };

/** The faults of one run. */
export class Faults {
  readonly #random: Streams;
  readonly kinds: ReadonlySet<FaultKind>;
  /** False once all is well again. */
  isOn = true;
  readonly #away = new Set<string>();
  isReadOnly = false;

  readonly #onFault: (kind: FaultKind) => void;

  constructor(random: Streams, kinds: readonly FaultKind[], onFault: (kind: FaultKind) => void) {
    this.#random = random;
    this.#onFault = onFault;
    this.kinds = new Set(kinds);
  }

  /** Says whether a fault that has this probability happens to `whom` now. */
  happens(kind: FaultKind, whom: string, probability: number): boolean {
    const does = this.isOn && this.kinds.has(kind) && this.#random(`${kind}: ${whom}`).chance(probability);
    if (does) this.#onFault(kind);
    return does;
  }

  /** What happens to a call: it, or its answer, is lost, and after a while its caller gives up. */
  ofCall(kind: Server, port: string): { lost: 'before' | 'after'; givesUpAfterMs: number } | undefined {
    // The gate's adapter answers for a server that does not: its own tests have that.
    if (kind === 'gate') return undefined;
    if (this.happens('lost call', port, 0.01)) return { lost: 'before', givesUpAfterMs: this.latencyMs(port) };
    if (this.happens('lost answer', port, 0.02)) return { lost: 'after', givesUpAfterMs: this.latencyMs(port) };
    if (!this.happens('call without answer', port, 0.003)) return undefined;
    const lost = this.#random(`lost part: ${port}`).pick(['before', 'after'] as const);
    return { lost, givesUpAfterMs: answerTimeoutMs[kind] };
  }

  /** How long a request or an answer takes. `port`: a server, as one process calls it. */
  latencyMs(port: string): number {
    const random = this.#random(`latency: ${port}`);
    return this.happens('slow call', port, 0.01) ? random.whole(100, 3000) : random.whole(0, 3);
  }

  isAway(server: string): boolean {
    return this.#away.has(server);
  }

  setAway(server: string, isAway: boolean): void {
    if (isAway) this.#away.add(server);
    else this.#away.delete(server);
  }

  end(): void {
    this.isOn = false;
    this.isReadOnly = false;
    this.#away.clear();
  }
}

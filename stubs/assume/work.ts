import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Clock } from '../../gateway/base/clock.ts';
import type { Logger } from '../../gateway/base/log.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import type { AttemptReport } from '../../gateway/webhooks/model/listener.ts';
import type { RunChange } from '../../gateway/webhooks/outbox/change.ts';

/** The parts of a running stub that alternatives work with beside calls. */
export interface WorkParts {
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

/** What an alternative does beside calls: with rows as they are stored, with webhooks, or after a time. */
export interface Work {
  /** Sees rows before they are stored, and may change them. */
  storing(table: string, rows: readonly unknown[]): void;
  /** Does what still waits. Returns false if nothing waited. */
  settle(): Promise<boolean>;
  /** Ends it. What was held back is sent, unless it is dropped with the stub's data. */
  end(held: 'send' | 'drop'): void;
}

import type { Journal } from '../journal/journal.ts';
import type { Stub, StubOperations } from '../types.ts';

export interface ControlParts {
  stub: StubOperations;
  about: () => Pick<Stub, 'url' | 'credentials'>;
  /** The calls received. Reading them here is no look of a test: see `Stub.uncheckedCalls`. */
  journal: Pick<Journal, 'calls' | 'size' | 'subscribe'>;
  /** Aborted when the stub closes. */
  closing: AbortSignal;
}

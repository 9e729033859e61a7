import type { Journal } from '../journal/journal.ts';
import type { Stub, StubOperations } from '../types.ts';

export interface ControlParts {
  stub: StubOperations;
  about: () => Pick<Stub, 'url' | 'credentials'>;
  /** The calls received. Calls that are read here do not count as checked by a test (see `Stub.uncheckedCalls`). */
  journal: Pick<Journal, 'calls' | 'size' | 'subscribe' | 'scheme'>;
  /** Aborted when the stub closes. */
  closing: AbortSignal;
}

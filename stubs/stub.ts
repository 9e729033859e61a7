import type { ServiceName } from '../spec/documents/services.ts';
import { startAs } from './start.ts';
import type { Stub, StubOptions } from './types.ts';

export type { Stub, StubEvent, StubOptions, World, WorldOptions } from './types.ts';

/**
 * Starts a stub of one API: the reference implementation itself, in memory, with the API at the root of its own port.
 * Many stubs can run in one process. Throws `CouldNotRun`, whose message says what to do, if an option cannot be used.
 */
export const startStub = <A extends ServiceName>(api: A, options: StubOptions<A> = {}): Promise<Stub<A>> =>
  startAs({}, api, options);

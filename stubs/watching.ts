import type { FastifyRequest } from 'fastify';
import type { StubAppParts } from './app.ts';
import type { Core, CoreParts } from './core.ts';
import type { Faults } from './faults/faults.ts';

/** Is told of what a stub does, and may choose its faults. */
export interface Watching {
  /** Makes the faults. Default: those that apply to the calls of the rules. */
  faults(...made: ConstructorParameters<typeof Faults>): Faults;
  /** Gets the parts of the stub before its first call. */
  open(parts: StubAppParts): Promise<void>;
  /** Called with each call of the API. The call waits for it. */
  called(request: FastifyRequest): Promise<void>;
  /** Called before a change that no call makes, which `make` makes on any stub. It waits. */
  changes(what: string, make: (core: Core) => Promise<unknown> | undefined): Promise<void>;
  /** Called with each webhook that is sent. */
  message: NonNullable<CoreParts['message']>;
}

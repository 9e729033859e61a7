import type { ChosenFaults } from './faults.ts';

/** The faults applied to a call. */
export interface AppliedFault {
  /** The text forms of the faults. */
  name: string;
  /** Ids of the rules among them; faults asked for with `Prefer` have none. */
  rules: string[];
  chosen: ChosenFaults;
  /** The part of the body that was sent, if it is not the whole body. */
  sentBody?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    fault: AppliedFault | null;
  }
}

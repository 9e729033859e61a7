import type { ChosenFaults } from './faults.ts';

/** The faults of a call that is being answered. */
export interface AppliedFault {
  /** As their rules are written. */
  name: string;
  /** Ids of those that are rules, and no wish of the request's. */
  rules: string[];
  chosen: ChosenFaults;
  /** What went out of the reply's body, where that is not what was meant to. */
  sentBody?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    fault: AppliedFault | null;
  }
}

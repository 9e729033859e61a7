import type { Fault } from './types.ts';

/** A fault chosen for a call. */
export interface ChosenFault<Kind extends Fault = Fault> {
  /** The rule in its text form, or the request's `Prefer` header. */
  source: string;
  /** The rule that caused it; absent for `Prefer`. A rule from the start comes back on reset. */
  rule?: { id: string; fromStart: boolean };
  fault: Kind;
  /** The length of a delay, drawn for this call, in milliseconds. */
  ms: number;
}

/** A call gets at most one delay and one other fault. */
export interface ChosenFaults {
  delay?: ChosenFault<Extract<Fault, { kind: 'delay' }>>;
  outcome?: ChosenFault<Exclude<Fault, { kind: 'delay' }>>;
}

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
    /** What the request wished for, while its rules wait for its body. */
    faultsOfBody: ChosenFaults | null;
  }
}

import type { Fault } from './types.ts';

export interface ChosenFault<Kind extends Fault = Fault> {
  /** The rule in its text form, or the request's `Prefer` header. */
  source: string;
  /** The rule that caused it; absent for `Prefer`. A rule from the start comes back on reset. */
  rule?: { id: string; fromStart: boolean };
  fault: Kind;
  /** The length of a delay, drawn for this call, in milliseconds. */
  ms: number;
  /** When the rule ends, in milliseconds since 1970. Absent if it has no end. */
  untilMs?: number | undefined;
}

/** A call gets at most one delay and one other fault. */
export interface ChosenFaults {
  delay?: ChosenFault<Extract<Fault, { kind: 'delay' }>>;
  outcome?: ChosenFault<Exclude<Fault, { kind: 'delay' }>>;
}

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
    /** The faults that the request's `Prefer` asks for. Set while rules wait for the body. */
    faultsOfBody: ChosenFaults | null;
  }
}

import type { Exchange } from '../../gateway/webhooks/sending/exchange.ts';

/** One request of a check. */
export interface Sent {
  /** Shown beside the response. */
  label: string;
  headers: Record<string, string>;
  body: string;
}

export interface Context {
  secret: string;
  /** The new secret, if the receiver was given one for a rotation. */
  rotatedSecret: string | undefined;
  /** An event that the receiver knows. */
  event: { type: string; data: unknown };
  signatureHeader: string;
  /** The current time in milliseconds since 1970. */
  now(): number;
  /** A slower response causes a warning. */
  slowAfterMs: number;
  /** The deadline of each request. Default: the gateway's deadline of an attempt. */
  timeoutMs: number;
}

export type CheckOutcome = 'passed' | 'failed' | 'warned' | 'skipped';

export interface Judgement {
  outcome: CheckOutcome;
  /** The finding, in one sentence; empty if the check passed. */
  says: string;
}

/** `documented`: the API documents require it. `recommended`: it follows from a choice of ours, or is good practice. */
export const levels = ['documented', 'recommended'] as const;
export type Level = (typeof levels)[number];

/** One requirement that a receiver should meet. */
export interface Check {
  id: string;
  level: Level;
  /** Entries of the gap register: choices made where the documents are silent. Empty if the documents require it. */
  gaps: readonly string[];
  title: string;
  /** Describes the requests. */
  sends: string;
  /** Describes the expected response. */
  expects: string;
  why: string;
  /** Why the check cannot run; null if it can. */
  skip?(context: Context): string | null;
  /** The requests, sent one after the other over one connection. */
  requests(context: Context): Sent[];
  judge(exchanges: readonly Exchange[], context: Context): Judgement;
}

/** A request and its response, shortened for display. */
export interface Evidence {
  label: string;
  webhookId: string | null;
  bodyBytes: number;
  status: number | null;
  /** `success`, or the class of the error. */
  outcome: string;
  error: string | null;
  ms: number;
  /** The first 200 characters of the response body, with control characters escaped. */
  answer: string;
}

export interface CheckResult extends Pick<Check, 'id' | 'level' | 'gaps' | 'title' | 'sends' | 'expects' | 'why'> {
  outcome: CheckOutcome;
  /** The finding, in one sentence; empty if the check passed. */
  says: string;
  evidence: Evidence[];
  ms: number;
}

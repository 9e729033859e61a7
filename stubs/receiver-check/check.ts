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

/** One requirement that a receiver should meet. */
export interface Check {
  id: string;
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

import type { Exchange } from '../../gateway/webhooks/sending/exchange.ts';

/** What is sent in one request of a check. */
export interface Sent {
  /** Said beside its answer. */
  label: string;
  headers: Record<string, string>;
  body: string;
}

export interface Context {
  secret: string;
  /** The secret to which the receiver was told that the endpoint rotates. */
  rotatedSecret: string | undefined;
  /** An event that the receiver knows. */
  event: { type: string; data: unknown };
  signatureHeader: string;
  /** The present in milliseconds since 1970. */
  now(): number;
  /** An answer that takes longer is warned of. */
  slowAfterMs: number;
  /** One deadline for each request, the gateway's own by default. */
  timeoutMs: number;
}

export type CheckOutcome = 'passed' | 'failed' | 'warned' | 'skipped';

export interface Judgement {
  outcome: CheckOutcome;
  /** What was found, in one sentence; empty where it passed. */
  says: string;
}

/** One thing that a receiver should do. */
export interface Check {
  id: string;
  title: string;
  /** What is sent. */
  sends: string;
  /** What is expected of the answer. */
  expects: string;
  why: string;
  /** Why it cannot be made here; null if it can. */
  skip?(context: Context): string | null;
  /** Its requests, made one after the other over one connection. */
  requests(context: Context): Sent[];
  judge(exchanges: readonly Exchange[], context: Context): Judgement;
}

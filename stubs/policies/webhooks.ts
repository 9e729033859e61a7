import { createHmac } from 'node:crypto';
import type { AlternativeName } from '../../spec/gaps/gaps.ts';

/** What changes when webhooks are sent, and how. */
export interface WebhookPolicy {
  /** Seconds before each attempt, the first included. */
  scheduleSeconds?: readonly number[];
  deadlineMs?: number;
  bodyAt?(body: string, atMs: number): string;
  /** Returns the signature of the document's header. */
  signature?(secret: string, body: string): string;
  isTwice?: true;
  isReordered?: true;
  lateMs?: number;
  /** An event of a type that no document shows comes beside each. */
  hasNewEvents?: true;
}

/** "Within minutes" is one a minute. */
const eachMinute = [0, 60, 60, 60];

/** Alternatives and harmless changes of webhooks. */
export const webhookPolicies: Readonly<Partial<Record<AlternativeName | `harmless.${string}`, WebhookPolicy>>> = {
  'pos.event-order=twice': { isTwice: true },
  'pos.webhook-retries=none': { scheduleSeconds: [0] },
  'pos.webhook-retries=few': { scheduleSeconds: eachMinute },
  'cohesion.event-order=twice': { isTwice: true },
  'cohesion.webhook-retries=none': { scheduleSeconds: [0] },
  'cohesion.webhook-retries=three': { scheduleSeconds: eachMinute },
  'cohesion.webhook-timeouts=5-s': { deadlineMs: 5000 },
  'cohesion.webhook-timeouts=30-s': { deadlineMs: 30_000 },
  // As text, so that nothing else of the body changes.
  'cohesion.delivered-at=attempt': {
    bodyAt: (body, atMs) => body.replace(/("delivered_at": *")[^"]*(?=")/i, (_, before: string) => before + secondOf(atMs)),
  },
  'cohesion.webhook-secret=decoded-bytes': {
    signature: (secret, body) => `sha256=${createHmac('sha256', bytesOf(secret)).update(body).digest('hex')}`,
  },
  'harmless.new-events=on': { hasNewEvents: true },
  'harmless.duplicate-webhooks=on': { isTwice: true },
  'harmless.reordered-webhooks=on': { isReordered: true },
  'harmless.late-webhooks=on': { lateMs: 2000 },
};

const secondOf = (atMs: number) => new Date(atMs).toISOString().replace(/\.\d+Z$/, '+00:00');
const bytesOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

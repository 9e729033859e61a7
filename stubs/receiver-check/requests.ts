import { randomBytes } from 'node:crypto';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import type { Context, Sent } from './check.ts';

export interface Recipe {
  label?: string;
  type?: string;
  data?: unknown;
  /** Fields of the envelope beside the documented ones. */
  extra?: Record<string, unknown>;
  /** The whole body, where it is not the envelope as the gateway writes it. */
  body?: string;
  id?: string;
  /** Secrets that sign, newest first; the endpoint's by default. */
  secrets?: readonly string[];
  /** How long ago it says it was signed, in seconds. */
  agoSeconds?: number;
  /** Changes the request once it is signed. */
  forge?(sent: Sent): Sent;
}

export const newEventId = () => `evt_check_${randomBytes(8).toString('hex')}`;

/** A secret that nobody has. */
export const strangersSecret = newSigningSecret;

const instant = (atMs: number) => new Date(atMs).toISOString().replace(/\.\d{3}Z$/, '+00:00');

/** A request as the gateway makes it, but for what the recipe changes. */
export function request(context: Context, recipe: Recipe = {}): Sent {
  const { label = 'event', agoSeconds = 0, secrets = [context.secret], id = newEventId(), forge = (sent) => sent } = recipe;
  const { type = context.event.type, data = context.event.data, extra = {} } = recipe;
  const atMs = context.now() - agoSeconds * 1000;
  const body = recipe.body ?? JSON.stringify({ event: type, delivered_at: instant(atMs), data, ...extra });
  const signature = signatureHeaders({ eventId: id, body, atMs, secrets, headerName: context.signatureHeader });
  return forge({ label, body, headers: { 'content-type': 'application/json', 'user-agent': 'Passerelle', ...signature } });
}

/** The request without the headers that `gone` names. */
export const without = (sent: Sent, gone: (name: string) => boolean): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !gone(name.toLowerCase()))),
});

import { randomBytes } from 'node:crypto';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import type { Context, Sent } from './check.ts';

export interface Recipe {
  label?: string;
  type?: string;
  data?: unknown;
  /** Fields of the envelope beside the documented ones. */
  extra?: Record<string, unknown>;
  /** Replaces the envelope that the gateway would write. */
  body?: string;
  /** Writes the envelope. Default: as the gateway does. */
  write?(envelope: object): string;
  id?: string;
  /** The signing secrets, newest first. Default: the endpoint's secret. */
  secrets?: readonly string[];
  /** The secret that signs the header of the documents. Default: the newest. */
  documented?: string;
  /** The age of the signature's timestamp in seconds. Default 0. */
  agoSeconds?: number;
  /** Changes the request after it is signed. */
  forge?(sent: Sent): Sent;
}

export const newEventId = () => `evt_check_${randomBytes(8).toString('hex')}`;

/** Creates a secret that no receiver knows. */
export const strangersSecret = newSigningSecret;

const instant = (atMs: number) => new Date(atMs).toISOString().replace(/\.\d{3}Z$/, '+00:00');

/** Builds a request as the gateway does, with the changes of the recipe. */
export function request(context: Context, recipe: Recipe = {}): Sent {
  const { label = 'event', agoSeconds = 0, secrets = [context.secret], id = newEventId(), forge = (sent) => sent } = recipe;
  const { type = context.event.type, data = context.event.data, extra = {}, documented, write = JSON.stringify } = recipe;
  const atMs = context.now() - agoSeconds * 1000;
  const body = recipe.body ?? write({ event: type, delivered_at: instant(atMs), data, ...extra });
  const signature = signatureHeaders({ eventId: id, body, atMs, secrets, documented, headerName: context.signatureHeader });
  return forge({ label, body, headers: { 'content-type': 'application/json', 'user-agent': 'Passerelle', ...signature } });
}

/** Removes the headers for which `isRemoved` returns true. */
export const without = (sent: Sent, isRemoved: (name: string) => boolean): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !isRemoved(name.toLowerCase()))),
});

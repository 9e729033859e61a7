import { invalid, Refusal } from '../../../../gateway/base/errors.ts';
import type { Change } from '../../../../gateway/webhooks/outbox/change.ts';

/**
 * The change that causes an event, which its provider state and `trigger` make: a verb of the API, on the record that `on` names, or
 * else on one that allows it and that `parts.apiKey` can read back. Returns a sentence that says what changed. Throws a `Refusal` if
 * the record does not allow it, or no record does.
 */
export type EventChange = (change: Change, on: string | undefined, parts: ChangeParts) => Promise<string>;

export interface ChangeParts {
  /** The API key whose account comes first (pos). */
  apiKey?: string | undefined;
  /** True if a payment is of all that remains (pos). Default: of half, so that the sale is not completed too. */
  paysAll?: boolean;
  /** Called with a pending payment that the change ended (pos). */
  paymentEnded?(id: string): void;
}

/** No record allows the change now. */
export const noRecord = (message: string): Refusal => new Refusal('conflict', 'no_record', message);

/** Reads the `on` of a record whose key is a whole number. */
export function numberOn(on: string, what: string): number {
  if (/^\d{1,15}$/.test(on)) return Number(on);
  throw invalid('on', 'integer', `on: "${on}" is not ${what}.`);
}

import { invalid, Refusal } from '../../gateway/base/errors.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Credentials } from '../credentials.ts';

/**
 * The change that causes an event: a verb of the API, on the record that `on` names, or else on one that allows it and that
 * the stub's credentials can read back. Returns a sentence that says what changed. Throws a `Refusal` if the record does not allow it, or no record does.
 */
export type Cause<A extends ServiceName> = (change: Change, on: string | undefined, parts: CauseParts<A>) => Promise<string>;

export interface CauseParts<A extends ServiceName> {
  credentials: Credentials[A];
  /** Call it with a pending payment that the change ended. */
  paymentEnded(id: string): void;
}

/** No record allows the change now. */
export const noRecord = (message: string): Refusal => new Refusal('conflict', 'no_record', message);

/** Reads the `on` of a record whose key is a whole number. */
export function numberOn(on: string, what: string): number {
  if (/^\d{1,15}$/.test(on)) return Number(on);
  throw invalid('on', 'integer', `on: "${on}" is not ${what}.`);
}

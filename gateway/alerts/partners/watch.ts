import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../store/port.ts';
import { endOver, tellOfTrouble } from './endpoints.ts';
import { warnOfExpiry } from './expiry.ts';

/**
 * Brings the alerts of partners in line with their endpoints and credentials, page by page. Without a mail server nothing begins:
 * what is still so when there is one is told then.
 */
export async function watchPartners(
  { store, clock, log }: { store: Store; clock: Clock; log: Logger },
  hasServer: boolean,
): Promise<void> {
  const now = clock.now();
  const { open, ended } = await endOver(store, now);
  const begun = hasServer ? (await tellOfTrouble(store, open, now)) + (await warnOfExpiry(store, now)) : 0;
  if (begun + ended > 0) log.info({ begun, ended }, 'alerts.partners');
}

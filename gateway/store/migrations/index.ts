import type { Migration } from 'kysely/migration';
import { initial } from './001-initial.ts';
import { manualAttempts } from './002-manual-attempts.ts';
import { lanes } from './003-lanes.ts';
import { operators } from './004-operators.ts';
import { tallies } from './005-tallies.ts';
import { records } from './006-records.ts';
import { days } from './007-days.ts';
import { leases } from './010-leases.ts';
import { latency } from './011-latency.ts';
import { rotation } from './013a-rotation.ts';
import { causes } from './013b-causes.ts';
import { audit } from './013c-audit.ts';
import { alerts } from './014-alerts.ts';
import { views } from './015-views.ts';
import { traces } from './016-traces.ts';
import { alertDetails } from './017-alert-details.ts';
import { profiles } from './018-profiles.ts';
import { partnerAlerts } from './019-partner-alerts.ts';
import { recoveryOwners } from './020-recovery-owners.ts';
import { alertPartners } from './021-alert-partners.ts';
import { failingWith } from './022-failing-with.ts';
import { handledAlerts } from './023-handled-alerts.ts';
import { nextAttemptCases } from './024-next-attempt-cases.ts';
import { payloadFilters } from './025-payload-filters.ts';
import { eventPositions } from './026-event-positions.ts';
import { signatures } from './027-signatures.ts';
import { retryForHours } from './028-retry-for-hours.ts';
import { credentials } from './029-credentials.ts';
import { outages } from './030-outages.ts';
import { receiverTokens } from './031-receiver-tokens.ts';
import { consumers } from './032-consumers.ts';
import { erasures } from './033-erasures.ts';
import { delays } from './034-delays.ts';
import { orderKeys } from './035-order-keys.ts';
import { tokenTimes } from './036-token-times.ts';
import { positionTimeline } from './037-position-timeline.ts';
import { blockingDeadLetters } from './038-blocking-dead-letters.ts';

/**
 * The oldest version that can use this schema, named by its newest migration. Migrations after it only add what that version need
 * not write. So its processes run beside newer ones, and start again after them. A migration that takes something away, or
 * changes what it means, raises this: a release later than the code that no longer uses it.
 */
export const oldestReader = '023-handled-alerts';

/** All migrations, in order. Never change a released one; add a new one. */
export const migrations: Record<string, Migration> = {
  '001-initial': initial,
  '002-manual-attempts': manualAttempts,
  '003-lanes': lanes,
  '004-operators': operators,
  '005-tallies': tallies,
  '006-records': records,
  '007-days': days,
  '010-leases': leases,
  '011-latency': latency,
  '013a-rotation': rotation,
  '013b-causes': causes,
  '013c-audit': audit,
  '014-alerts': alerts,
  '015-views': views,
  '016-traces': traces,
  '017-alert-details': alertDetails,
  '018-profiles': profiles,
  '019-partner-alerts': partnerAlerts,
  '020-recovery-owners': recoveryOwners,
  '021-alert-partners': alertPartners,
  '022-failing-with': failingWith,
  '023-handled-alerts': handledAlerts,
  '024-next-attempt-cases': nextAttemptCases,
  '025-payload-filters': payloadFilters,
  '026-event-positions': eventPositions,
  '027-signatures': signatures,
  '028-retry-for-hours': retryForHours,
  '029-credentials': credentials,
  '030-outages': outages,
  '031-receiver-tokens': receiverTokens,
  '032-consumers': consumers,
  '033-erasures': erasures,
  '034-delays': delays,
  '035-order-keys': orderKeys,
  '036-token-times': tokenTimes,
  '037-position-timeline': positionTimeline,
  '038-blocking-dead-letters': blockingDeadLetters,
};

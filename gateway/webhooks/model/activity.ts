import type { Row } from '../../store/tables/index.ts';
import { type DisabledReason, type SkipReason, unverifiedReasons } from '../../store/tables/webhooks.ts';

type Endpoint = Row<'endpoints'>;

const skipReasons: Record<DisabledReason, SkipReason> = {
  operator: 'endpoint_disabled',
  owner: 'endpoint_disabled',
  gone: 'endpoint_disabled',
  failing: 'endpoint_disabled',
  owner_inactive: 'owner_inactive',
  unverified: 'endpoint_unverified',
  url_changed: 'endpoint_unverified',
  deleted: 'endpoint_deleted',
};

/** Returns why nothing is sent to an endpoint; null if it is active. */
export const skipReasonOf = ({ active, disabled_reason }: Pick<Endpoint, 'active' | 'disabled_reason'>): SkipReason | null =>
  active ? null : skipReasons[disabled_reason ?? 'operator'];

/**
 * True for an owned endpoint that waits for its verification. It gets nothing but test events. One that was verified before and has
 * a new URL keeps its subscriptions: its events get skipped deliveries, which a recovery can send.
 */
export const isUnverified = ({ disabled_reason }: Pick<Endpoint, 'disabled_reason'>): boolean =>
  unverifiedReasons.some((reason) => reason === disabled_reason);

/** The columns of an endpoint that is activated: no hold, and no failures so far. */
export const healthy = { held_until: null, held_because: null, holds: 0, failing_since: null, failing_with: null };

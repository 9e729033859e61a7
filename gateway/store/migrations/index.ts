import type { Migration } from 'kysely/migration';
import { initial } from './001-initial.ts';
import { lanes } from './003-lanes.ts';
import { operators } from './004-operators.ts';
import { tallies } from './005-tallies.ts';
import { records } from './006-records.ts';
import { days } from './007-days.ts';
import { leases } from './010-leases.ts';
import { latency } from './011-latency.ts';
import { audit } from './013c-audit.ts';
import { alerts } from './014-alerts.ts';
import { views } from './015-views.ts';
import { profiles } from './018-profiles.ts';
import { partnerAlerts } from './019-partner-alerts.ts';
import { consumers } from './032-consumers.ts';
import { erasures } from './033-erasures.ts';
import { orderKeys } from './035-order-keys.ts';
import { positionTimeline } from './037-position-timeline.ts';
import { run } from './run.ts';

/**
 * The oldest version that can use this schema, named by the newest migration of that version. Later migrations only add tables
 * and columns that this version does not have to write. So its processes can run beside newer ones, and can start again. A
 * migration that removes something, or changes its meaning, raises this value. It comes one release after the code that no longer
 * uses the removed thing.
 */
export const oldestReader = '023-handled-alerts';

/** All migrations, in order. Never change a released one; add a new one. */
export const migrations: Record<string, Migration> = {
  '001-initial': initial,
  /** Marks attempts that an operator asked for. */
  '002-manual-attempts': run(`alter table passerelle.attempts add column manual boolean not null default false`),
  '003-lanes': lanes,
  '004-operators': operators,
  '005-tallies': tallies,
  '006-records': records,
  '007-days': days,
  '010-leases': leases,
  '011-latency': latency,
  /** When to say that the new secret of an endpoint is not confirmed. */
  '013a-rotation': run(
    `alter table passerelle.endpoints add column rotation_notice_at bigint`,
    `create index endpoints_rotation_notice_at on passerelle.endpoints (rotation_notice_at)
      where rotation_notice_at is not null`,
  ),
  /** The call that caused an event. */
  '013b-causes': run(
    `alter table passerelle.events add column caused_by text collate "C"`,
    `create index events_caused_by_id on passerelle.events (caused_by, id) where caused_by is not null`,
  ),
  '013c-audit': audit,
  '014-alerts': alerts,
  '015-views': views,
  /** The trace of an event (W3C Trace Context). A new column that may be null rewrites no row. */
  '016-traces': run('alter table passerelle.events add column traceparent text collate "C"'),
  /**
   * The text of an alert as a case with its values, so that the console can show it in each language. A new column that may be
   * null rewrites no row.
   */
  '017-alert-details': run('alter table passerelle.alerts add column detail json'),
  '018-profiles': profiles,
  '019-partner-alerts': partnerAlerts,
  /** The owner of a recovery, so that an owner's list does not depend on how many recoveries others have. There are few recoveries. */
  '020-recovery-owners': run(
    'alter table passerelle.recoveries add column owner text collate "C"',
    `update passerelle.recoveries set owner = filter->>'owner' where filter->>'owner' is not null`,
    'create index recoveries_owner_id on passerelle.recoveries (owner, id) where owner is not null',
  ),
  /**
   * The partner whom an alert concerns. So operators find the alerts about a partner's endpoints beside the alerts that were sent
   * to the partner. Older alerts get their value here: they are few, because of retention.
   */
  '021-alert-partners': run(
    'alter table passerelle.alerts add column about text collate "C"',
    'update passerelle.alerts set about = owner where owner is not null',
    `update passerelle.alerts a set about = e.owner from passerelle.endpoints e
      where a.owner is null and e.id = a.subject and e.owner <> 'operator'`,
    'create index alerts_about_id on passerelle.alerts (about, id) where about is not null',
  ),
  /** How the attempts at an endpoint have failed since its last success, so that its row alone tells why nothing arrives. */
  '022-failing-with': run('alter table passerelle.endpoints add column failing_with json'),
  /** What an operator did with an open alert: acknowledged, snoozed, assigned. New columns that may be null rewrite no row. */
  '023-handled-alerts': run(
    `alter table passerelle.alerts
      add column acknowledged_at bigint, add column snoozed_until bigint, add column assigned_to text collate "C"`,
  ),
  /**
   * Why the next attempt is made at its time, as a case with its values. Older rows keep their sentence. A new column rewrites no
   * row.
   */
  '024-next-attempt-cases': run('alter table passerelle.attempts add column next_attempt_case json'),
  /** Filters on the payload of events, and how many endpoints an event did not reach because of them. New columns rewrite no row. */
  '025-payload-filters': run(
    'alter table passerelle.endpoints add column filter text',
    'alter table passerelle.events add column filtered integer',
  ),
  /**
   * The position of an event is its transaction's number (`xid8`). A constant default rewrites no row: older events have 0,
   * because all of them are committed. In another cluster the numbers start again, so `position_base` is raised there
   * (`sql/origin.ts`).
   */
  '026-event-positions': run(
    `create function passerelle.position_base() returns bigint language sql immutable parallel safe as 'select 0::bigint'`,
    'alter table passerelle.events add column position bigint not null default 0',
    `alter table passerelle.events alter column position
      set default passerelle.position_base() + pg_current_xact_id()::text::bigint`,
    'create index events_position_id on passerelle.events (position, id)',
  ),
  /** How an endpoint's deliveries are signed. A new column with a default rewrites no row. */
  '027-signatures': run(`alter table passerelle.endpoints add column signatures text collate "C" not null default 'v1'`),
  /** How long the deliveries of an endpoint are retried. Null: as long as the gateway's schedule. */
  '028-retry-for-hours': run('alter table passerelle.endpoints add column retry_for_hours integer'),
  /** The sealed credentials that an endpoint's receiver requires in addition to the signature. A new column rewrites no row. */
  '029-credentials': run('alter table passerelle.endpoints add column credentials json'),
  /** Outages of endpoints, and which deliveries the gateway has sent again by itself. New columns rewrite no row. */
  '030-outages': run(
    `alter table passerelle.endpoints
      add column auto_recovery boolean not null default true,
      add column outage_since bigint,
      add column outage_over_at bigint`,
    'create index endpoints_outage_over on passerelle.endpoints (id) where outage_over_at is not null',
    'alter table passerelle.deliveries add column recovered_at bigint',
  ),
  /** Access tokens of endpoints with OAuth2, sealed, for all processes. */
  '031-receiver-tokens': run(
    `create table passerelle.receiver_tokens (
        endpoint_id text collate "C" primary key, client text collate "C" not null, sealed text collate "C",
        renew_at bigint, expires_at bigint, failing_since bigint, error text collate "C", retry_at bigint
      )`,
  ),
  '032-consumers': consumers,
  '033-erasures': erasures,
  /** What deliveries waited for, and when they arrived. New columns without a default rewrite no row. */
  '034-delays': run('alter table passerelle.deliveries add column delays json, add column delivered_at bigint'),
  '035-order-keys': orderKeys,
  /** When a token server gave an access token, when it last failed, and the attempts whose first token was refused. */
  '036-token-times': run(
    'alter table passerelle.receiver_tokens add column got_at bigint, add column failed_at bigint',
    'alter table passerelle.attempts add column asked_again boolean not null default false',
    'create index receiver_tokens_failing on passerelle.receiver_tokens (failing_since) where failing_since is not null',
  ),
  '037-position-timeline': positionTimeline,
  /** Which endpoints dead letters block. */
  '038-blocking-dead-letters': run(
    `create index deliveries_blocking_dead on passerelle.deliveries (endpoint_id, id)
      where status = 'failed' and order_key is not null`,
  ),
  /** The processes of the installation. */
  '039-processes': run(
    `create table passerelle.processes (
      id text collate "C" primary key, version text collate "C" not null, role text collate "C" not null,
      host text collate "C" not null, pid integer not null, clock_skew_seconds double precision,
      started_at bigint not null, seen_at bigint not null
    )`,
  ),
};

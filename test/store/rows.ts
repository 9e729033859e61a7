import { firstIdAt } from '../../gateway/base/ids.ts';
import { unhandled } from '../../gateway/store/tables/alerts.ts';
import type { Row } from '../../gateway/store/tables/index.ts';

/** Complete rows for the store's tests, with defaults for what a test does not name. */

export const fact = (name: string, value = '', created_at = 1): Row<'facts'> => ({ name, value, created_at });

export const stock = (product_id: string, change: Partial<Row<'stock'>> = {}): Row<'stock'> => ({
  store_id: 'STORE-1',
  product_id,
  name: product_id,
  category: 'food',
  price: '100',
  quantity: '10',
  low_threshold: '2',
  updated_at: 1,
  ...change,
});

export const user = (email: string, change: Partial<Row<'users'>> = {}): Omit<Row<'users'>, 'id'> & { id?: number } => ({
  name: email,
  email,
  role: 'lecteur',
  structure_ids: null,
  active: true,
  created_at: 1,
  ...change,
});

export const event = (id: string, change: Partial<Row<'events'>> = {}): Row<'events'> => ({
  id,
  service: 'pos',
  type: 'sale.completed',
  subject: null,
  body: '{}',
  created_at: 1,
  traceparent: null,
  fanned_out_at: null,
  matched: null,
  filtered: null,
  fanout_after: null,
  erased_by: null,
  caused_by: null,
  position: 0,
  ...change,
});

export const delivery = (
  id: string,
  event_id: string,
  endpoint_id: string,
  change: Partial<Row<'deliveries'>> = {},
): Row<'deliveries'> => ({
  id,
  event_id,
  endpoint_id,
  event_type: 'sale.completed',
  status: 'pending',
  attempts: 0,
  reason: null,
  response_status: null,
  next_attempt_at: null,
  parked: false,
  test: false,
  recovered_at: null,
  delays: null,
  delivered_at: null,
  order_key: null,
  sequence: null,
  previous_event_id: null,
  created_at: 1,
  updated_at: 1,
  ...change,
});

export const endpoint = (id: string, change: Partial<Row<'endpoints'>> = {}): Row<'endpoints'> => ({
  id,
  owner: 'operator',
  visible: null,
  service: 'pos',
  url: 'https://example.com/',
  description: '',
  events: null,
  perimeter: null,
  filter: null,
  credentials: null,
  active: true,
  disabled_reason: null,
  deleted_at: null,
  secrets: [],
  signatures: 'v1',
  rotation_notice_at: null,
  rotation_alert_at: null,
  max_in_flight: null,
  max_per_second: null,
  retry_for_hours: null,
  ordered: false,
  order_by: 'endpoint',
  on_dead_letter: 'skip',
  head_delivery_id: null,
  held_until: null,
  held_because: null,
  holds: 0,
  failing_since: null,
  failing_with: null,
  auto_recovery: true,
  outage_since: null,
  outage_over_at: null,
  created_at: 1,
  updated_at: 1,
  ...change,
});

export const indicator = (code: string, change: Partial<Row<'indicators'>> = {}): Omit<Row<'indicators'>, 'id'> => ({
  code,
  intitule: code,
  type: 'resultat',
  unite: '%',
  valeur_courante: 0,
  cible_annuelle: 100,
  alert_state: 'none',
  is_kpi: false,
  active: true,
  updated_at: 1,
  search: code,
  ...change,
});

export const tally = (name: string, change: Partial<Row<'tallies'>> = {}): Row<'tallies'> => ({
  kind: 'call',
  width: 60_000,
  at: 0,
  subject: 'subject',
  name,
  total: 0,
  refused: 0,
  share: 0,
  limit_max: 0,
  latency: '0',
  ...change,
});

export const report = (content: unknown): Omit<Row<'reports'>, 'id'> => ({
  annee: 2026,
  titre: 'Rapport',
  format: 'json',
  content,
  created_at: 1,
});

export const token = (token_hash: string, structure_ids: number[] | null): Omit<Row<'tokens'>, 'id'> => ({
  user_id: 1,
  name: token_hash,
  token_hash,
  abilities: ['read:stats'],
  structure_ids,
  created_at: 1,
  last_used_at: null,
  last_used_ip: null,
  expires_at: null,
  expiry_warnings: 0,
  revoked_at: null,
});

/** An id as `newId` makes them at that time. */
export const idAt = (prefix: string, atMs: number, serial = 0): string =>
  `${firstIdAt(prefix, atMs)}${String(serial).padStart(20, '0')}`;

export const call = (at: number, serial = 0, change: Partial<Row<'calls'>> = {}): Row<'calls'> => ({
  id: idAt('call', at, serial),
  at,
  api: 'pos',
  operation: null,
  caller: null,
  ip: '127.0.0.1',
  method: 'GET',
  path: '/',
  status: 200,
  duration_ms: 1,
  error_code: null,
  limit_state: null,
  request_headers: {},
  request_body: null,
  response_headers: {},
  response_body: null,
  ...change,
});

export const attempt = (delivery_id: string, ended_at: number, change: Partial<Row<'attempts'>> = {}): Row<'attempts'> => ({
  id: idAt('att', ended_at),
  delivery_id,
  endpoint_id: 'ep',
  number: 1,
  outcome: 'success',
  error: null,
  url: 'https://example.com/',
  address: null,
  request_headers: {},
  response_status: 200,
  response_headers: {},
  response_body: null,
  response_truncated: false,
  timings: {},
  secret_ids: [],
  next_attempt_at: null,
  next_attempt_why: null,
  next_attempt_case: null,
  manual: false,
  asked_again: false,
  started_at: ended_at,
  ended_at,
  ...change,
});

export const recoveryItem = (recovery_id: string): Row<'recovery_items'> => ({
  recovery_id,
  delivery_id: 'dlv',
  result: 'queued',
  attempts_before: 1,
  at: 1,
});

/** An open alert about an endpoint. */
export const alert = (id: string, endpoint: string, change: Partial<Row<'alerts'>> = {}): Row<'alerts'> => ({
  id,
  owner: null,
  about: null,
  rule: 'endpoint_failing',
  severity: 'warning',
  subject: endpoint,
  open_key: `endpoint_failing ${endpoint}`,
  message: '',
  page: `/endpoints/${endpoint}`,
  opened_at: 1,
  notified_at: null,
  resolved_at: null,
  detail: {
    case: 'endpoint_failing',
    values: { endpoint, host: 'till.example.org', description: '', failed: 3, attempts: 3, minutes: 10 },
  },
  ...unhandled,
  ...change,
});

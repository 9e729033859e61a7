import { firstIdAt } from '../../gateway/base/ids.ts';
import { type Row, type TableName, tables } from '../../gateway/store/tables/index.ts';
import type { StoredSecret } from '../../gateway/store/tables/webhooks.ts';

/** Complete rows for the store's tests, with defaults for what a test does not name. */

/** The columns that cannot be null, and any others. */
type Given<T extends TableName> = Partial<Row<T>> & { [C in keyof Row<T> as null extends Row<T>[C] ? never : C]: Row<T>[C] };

const nulls = new Map(
  Object.entries(tables).map(([table, { columns }]) => {
    const empty = Object.entries(columns).filter(([, { nullable }]) => nullable);
    return [table, Object.fromEntries(empty.map(([name]) => [name, null]))];
  }),
);

/** A row with null in each column that may be null and is not given. */
export const rowOf = <T extends TableName>(table: T, given: Given<T>): Row<T> => ({ ...nulls.get(table), ...given }) as Row<T>;

export const fact = (name: string, value = '', created_at = 1): Row<'facts'> => ({ name, value, created_at });

export const facts = (names: readonly string[]): Row<'facts'>[] => names.map((name) => fact(name));

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

export const event = (id: string, change: Partial<Row<'events'>> = {}): Row<'events'> =>
  rowOf('events', {
    id,
    service: 'pos',
    type: 'sale.completed',
    body: '{}',
    created_at: 1,
    position: 0,
    ...change,
  });

export const delivery = (
  id: string,
  event_id: string,
  endpoint_id: string,
  change: Partial<Row<'deliveries'>> = {},
): Row<'deliveries'> =>
  rowOf('deliveries', {
    id,
    event_id,
    endpoint_id,
    event_type: 'sale.completed',
    status: 'pending',
    attempts: 0,
    parked: false,
    test: false,
    created_at: 1,
    updated_at: 1,
    ...change,
  });

export const endpoint = (id: string, change: Partial<Row<'endpoints'>> = {}): Row<'endpoints'> =>
  rowOf('endpoints', {
    id,
    owner: 'operator',
    service: 'pos',
    url: 'https://example.com/',
    description: '',
    active: true,
    secrets: [],
    ordered: false,
    order_by: 'endpoint',
    on_dead_letter: 'skip',
    holds: 0,
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
  revoked_at: null,
});

/** An endpoint's only signing secret. */
export const storedSecret = (sealed: string): StoredSecret => ({
  id: 'key_1',
  sealed,
  created_at: 0,
  expires_at: null,
});

/** An id as `newId` makes them at that time. */
export const idAt = (prefix: string, atMs: number, serial = 0): string =>
  `${firstIdAt(prefix, atMs)}${String(serial).padStart(20, '0')}`;

export const call = (at: number, serial = 0, change: Partial<Row<'calls'>> = {}): Row<'calls'> =>
  rowOf('calls', {
    id: idAt('call', at, serial),
    at,
    api: 'pos',
    ip: '127.0.0.1',
    method: 'GET',
    path: '/',
    status: 200,
    duration_ms: 1,
    request_headers: {},
    response_headers: {},
    ...change,
  });

export const attempt = (delivery_id: string, ended_at: number, change: Partial<Row<'attempts'>> = {}): Row<'attempts'> =>
  rowOf('attempts', {
    id: idAt('att', ended_at),
    delivery_id,
    endpoint_id: 'ep',
    number: 1,
    outcome: 'success',
    url: 'https://example.com/',
    request_headers: {},
    response_status: 200,
    response_headers: {},
    response_truncated: false,
    timings: {},
    secret_ids: [],
    manual: false,
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
export const alert = (id: string, endpoint: string, change: Partial<Row<'alerts'>> = {}): Row<'alerts'> =>
  rowOf('alerts', {
    id,
    rule: 'endpoint_failing',
    severity: 'warning',
    subject: endpoint,
    open_key: `endpoint_failing ${endpoint}`,
    message: '',
    page: `/endpoints/${endpoint}`,
    opened_at: 1,
    detail: {
      case: 'endpoint_failing',
      values: { endpoint, host: 'till.example.org', description: '' },
    },
    ...change,
  });

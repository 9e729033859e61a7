/**
 * The tables, as data: from this register come the row types, the memory adapter's behaviour and the checks that
 * the SQL migrations made the same thing (`test/store/migrations.test.ts`). Instants are milliseconds since 1970.
 */
type Kind = 'text' | 'integer' | 'serial' | 'time' | 'real' | 'decimal' | 'boolean' | 'json';

export interface Column<V = unknown> {
  kind: Kind;
  nullable: boolean;
  /** Only for the type checker: the TypeScript type of a value. */
  value?: V;
}

const column = <V>(kind: Kind): Column<V> => ({ kind, nullable: false });
const nullable = <V>(of: Column<V>): Column<V | null> => ({ kind: of.kind, nullable: true });

const text = column<string>('text');
const integer = column<number>('integer');
/** An integer that the store counts up itself where none is given. */
const serial = column<number>('serial');
const time = column<number>('time');
const real = column<number>('real');
/** An exact decimal number, as text: '1250.5'. */
const decimal = column<string>('decimal');
const boolean = column<boolean>('boolean');
const json = <V>() => column<V>('json');

export interface Table<C extends Record<string, Column> = Record<string, Column>> {
  columns: C;
  key: readonly (keyof C & string)[];
  unique?: readonly (readonly (keyof C & string)[])[];
  /** Each list that is read has its index here. One with `where` (SQL) covers those rows only, and costs the others nothing. */
  indexes?: readonly (readonly (keyof C & string)[] | { on: readonly (keyof C & string)[]; where: string })[];
  /** Columns of which `tally` keeps the greatest value; the others it adds up. */
  greatest?: readonly (keyof C & string)[];
}

/** Upper bounds of a tally's columns of latency in milliseconds; what takes longer counts in the last one. */
export const latencyBoundsMs = [1, 2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const;
export type LatencyColumn = `ms_${(typeof latencyBoundsMs)[number]}`;
export const latencyColumns = latencyBoundsMs.map((bound): LatencyColumn => `ms_${bound}`);
const latency = Object.fromEntries(latencyColumns.map((name) => [name, integer])) as Record<LatencyColumn, Column<number>>;

const table = <const C extends Record<string, Column>>(definition: Table<C>): Table<C> => definition;

export const tables = {
  // Point of sale
  accounts: table({
    columns: { id: text, name: text, plan: text, store_ids: nullable(json<string[]>()), active: boolean, created_at: time },
    key: ['id'],
  }),
  api_keys: table({
    columns: {
      id: text,
      account_id: text,
      secret_hash: text,
      created_at: time,
      last_used_at: nullable(time),
      revoked_at: nullable(time),
    },
    key: ['id'],
    indexes: [['account_id', 'id']],
  }),
  stores: table({
    columns: { id: text, name: text, city: text, currency: text, created_at: time, synchronized_at: nullable(time) },
    key: ['id'],
  }),
  stock: table({
    columns: {
      store_id: text,
      product_id: text,
      name: text,
      category: text,
      price: decimal,
      quantity: decimal,
      low_threshold: decimal,
      updated_at: time,
    },
    key: ['store_id', 'product_id'],
  }),
  sales: table({
    columns: {
      id: text,
      reference: text,
      account_id: text,
      store_id: text,
      status: text,
      payment_method: text,
      customer_phone: nullable(text),
      total: decimal,
      paid: decimal,
      created_at: time,
      completed_at: nullable(time),
      /** The day of completion in UTC, YYYY-MM-DD: what reports group by. */
      sold_on: nullable(text),
    },
    key: ['id'],
    unique: [['reference']],
    indexes: [
      ['store_id', 'sold_on'],
      ['account_id', 'id'],
    ],
  }),
  sale_items: table({
    columns: {
      sale_id: text,
      line: integer,
      store_id: text,
      product_id: text,
      name: text,
      quantity: decimal,
      price: decimal,
      amount: decimal,
      sold_on: nullable(text),
    },
    key: ['sale_id', 'line'],
    indexes: [['store_id', 'sold_on']],
  }),
  payments: table({
    columns: {
      id: text,
      sale_id: text,
      account_id: text,
      amount: decimal,
      phone: text,
      provider: text,
      status: text,
      created_at: time,
    },
    key: ['id'],
    indexes: [['sale_id', 'id']],
  }),
  idempotency_keys: table({
    columns: { account_id: text, idempotency_key: text, request_hash: text, status: integer, body: text, created_at: time },
    key: ['account_id', 'idempotency_key'],
    indexes: [['created_at']],
  }),

  // Social cohesion
  users: table({
    columns: { id: serial, name: text, email: text, role: text, active: boolean, created_at: time },
    key: ['id'],
    unique: [['email']],
  }),
  tokens: table({
    columns: {
      id: serial,
      user_id: integer,
      name: text,
      token_hash: text,
      abilities: json<string[]>(),
      /** The perimeter: structures it may write for; null means all of them. */
      structure_ids: nullable(json<number[]>()),
      created_at: time,
      last_used_at: nullable(time),
      last_used_ip: nullable(text),
      expires_at: nullable(time),
      revoked_at: nullable(time),
    },
    key: ['id'],
    unique: [['token_hash']],
    indexes: [['user_id', 'id']],
  }),
  structures: table({
    columns: {
      id: serial,
      nom: text,
      sigle: nullable(text),
      type: text,
      region: text,
      active: boolean,
      created_at: time,
      /** Folded text (`text.ts`) that `q` and `region` search in. */
      search: text,
      region_search: text,
    },
    key: ['id'],
  }),
  indicators: table({
    columns: {
      id: serial,
      code: text,
      intitule: text,
      type: text,
      unite: text,
      valeur_courante: real,
      cible_annuelle: real,
      alert_state: text,
      is_kpi: boolean,
      active: boolean,
      updated_at: time,
      search: text,
    },
    key: ['id'],
    unique: [['code']],
  }),
  interventions: table({
    columns: {
      id: serial,
      reference: text,
      intitule: text,
      statut: text,
      structure_id: integer,
      region: text,
      annee: integer,
      date_debut: nullable(text),
      date_fin: nullable(text),
      budget: nullable(decimal),
      validated_by: nullable(integer),
      created_at: time,
      updated_at: time,
      search: text,
      region_search: text,
    },
    key: ['id'],
    unique: [['reference']],
    indexes: [
      ['statut', 'id'],
      ['annee', 'id'],
      ['structure_id', 'id'],
    ],
  }),
  financings: table({
    columns: {
      id: serial,
      structure_id: integer,
      exercice: integer,
      bailleur: text,
      type: text,
      intitule: text,
      montant: decimal,
      devise: text,
      statut: text,
      created_at: time,
      updated_at: time,
    },
    key: ['id'],
    indexes: [
      ['structure_id', 'id'],
      ['exercice', 'id'],
    ],
  }),
  /** Annual plans: open until closed. */
  plans: table({
    columns: { annee: integer, statut: text, closed_at: nullable(time), created_at: time },
    key: ['annee'],
  }),
  reports: table({
    columns: { id: serial, annee: integer, titre: text, format: text, content: json<unknown>(), created_at: time },
    key: ['id'],
  }),

  // Webhooks
  endpoints: table({
    columns: {
      id: text,
      service: text,
      url: text,
      description: text,
      /** Event types wanted; null means every one of the service. */
      events: nullable(json<string[]>()),
      /** Stores (pos) or structures (cohesion) whose events are wanted; null means all. */
      perimeter: nullable(json<string[]>()),
      active: boolean,
      disabled_reason: nullable(text),
      /** Signing secrets, newest first, each encrypted; one that was rotated out ends at `expires_at`. */
      secrets: json<{ id: string; sealed: string; expires_at: number | null }[]>(),
      /** Attempts in flight at once; null means the setting. */
      max_in_flight: nullable(integer),
      /** Attempts begun in a second; null means as many as there are. */
      max_per_second: nullable(real),
      /** One delivery after another, in the order of the events. */
      ordered: boolean,
      /** Of an ordered endpoint: the delivery whose turn it is, until that one is finished. */
      head_delivery_id: nullable(text),
      /** While it is in trouble: until when nothing is sent to it, after which one attempt tries whether it is well again. */
      held_until: nullable(time),
      /** `failing` or `slowed_down` (`webhooks/health.ts`). */
      held_because: nullable(text),
      /** How many times in a row it was held; each time is longer. */
      holds: integer,
      /** Since when nothing but failures came. */
      failing_since: nullable(time),
      created_at: time,
      updated_at: time,
      /** The row stays for the ledger; nothing is sent to it any more. */
      deleted_at: nullable(time),
    },
    key: ['id'],
    indexes: [['service', 'id']],
  }),
  /** Which endpoints want what: a row for each pair of event type and subject, `*` standing for any. */
  subscriptions: table({
    columns: { service: text, event_type: text, subject: text, endpoint_id: text },
    key: ['service', 'event_type', 'subject', 'endpoint_id'],
    indexes: [['endpoint_id']],
  }),
  events: table({
    columns: {
      id: text,
      service: text,
      type: text,
      /** The store or structure it is about, for endpoints with a perimeter. */
      subject: nullable(text),
      /** The exact bytes of every delivery, as text. */
      body: text,
      created_at: time,
      /** When its deliveries had been made; null means the fan-out is still owed. */
      fanned_out_at: nullable(time),
      /** How many deliveries it came to: so far, until it is fanned out. */
      matched: nullable(integer),
      /** The last endpoint whose delivery was made, while a fan-out to very many is under way. */
      fanout_after: nullable(text),
    },
    key: ['id'],
    indexes: [
      ['type', 'id'],
      ['service', 'id'],
      { on: ['subject', 'id'], where: 'subject is not null' },
      { on: ['id'], where: 'fanned_out_at is null' },
    ],
  }),
  deliveries: table({
    columns: {
      id: text,
      event_id: text,
      endpoint_id: text,
      event_type: text,
      status: text,
      /** Attempts recorded so far. */
      attempts: integer,
      /** Why it stands where it stands: the last error class, or why it was skipped. */
      reason: nullable(text),
      /** The HTTP status of the last answer. */
      response_status: nullable(integer),
      next_attempt_at: nullable(time),
      /** Pending, and waiting in its endpoint's lane: no job stands for it until there is room (`webhooks/lanes.ts`). */
      parked: boolean,
      created_at: time,
      updated_at: time,
    },
    key: ['id'],
    unique: [['event_id', 'endpoint_id']],
    indexes: [
      ['endpoint_id', 'id'],
      ['endpoint_id', 'status', 'id'],
      ['status', 'id'],
      ['event_type', 'id'],
      { on: ['event_type', 'id'], where: "status = 'failed'" },
      { on: ['reason', 'id'], where: 'reason is not null' },
      { on: ['response_status', 'id'], where: 'response_status >= 300' },
      { on: ['next_attempt_at', 'id'], where: "status = 'pending' and not parked" },
      { on: ['endpoint_id', 'event_id'], where: 'parked' },
    ],
  }),
  attempts: table({
    columns: {
      id: text,
      delivery_id: text,
      endpoint_id: text,
      number: integer,
      /** `success`, or the class of the error (`webhooks/outcome.ts`). */
      outcome: text,
      error: nullable(text),
      url: text,
      address: nullable(text),
      request_headers: json<Record<string, string>>(),
      response_status: nullable(integer),
      response_headers: nullable(json<Record<string, string | string[]>>()),
      response_body: nullable(text),
      response_truncated: boolean,
      /** Milliseconds of each phase. */
      timings: json<Record<string, number>>(),
      /** Which signing keys were used. */
      secret_ids: json<string[]>(),
      next_attempt_at: nullable(time),
      next_attempt_why: nullable(text),
      /** An operator asked for it. */
      manual: boolean,
      started_at: time,
      ended_at: time,
    },
    key: ['id'],
    unique: [['delivery_id', 'number']],
    indexes: [{ on: ['endpoint_id', 'id'], where: "outcome <> 'success'" }],
  }),
  /** What an operator should know about an endpoint, such as that it was disabled. */
  notices: table({
    columns: {
      id: text,
      kind: text,
      endpoint_id: text,
      message: text,
      created_at: time,
    },
    key: ['id'],
    indexes: [['endpoint_id', 'id']],
  }),
  /** Jobs that send many deliveries again. */
  recoveries: table({
    columns: {
      id: text,
      /** `running`, `paused`, `canceled` or `done`. */
      status: text,
      /** Which deliveries, as they were chosen. */
      filter: json<Record<string, unknown>>(),
      /** Deliveries queued again in a second. */
      pace: integer,
      /** How many fitted when it was made. */
      total: integer,
      /** How many have been looked at. */
      done: integer,
      /** The last delivery looked at. */
      position: nullable(text),
      created_at: time,
      updated_at: time,
      ended_at: nullable(time),
    },
    key: ['id'],
    indexes: [['status', 'id']],
  }),
  recovery_items: table({
    columns: {
      recovery_id: text,
      delivery_id: text,
      /** `queued`; then `delivered` or `failed`; or why it was refused. */
      result: text,
      /** The delivery's attempts before: what came after is this recovery's doing. */
      attempts_before: integer,
      at: time,
    },
    key: ['recovery_id', 'delivery_id'],
    indexes: [{ on: ['delivery_id'], where: "result = 'queued'" }],
  }),

  // Gateway
  calls: table({
    columns: {
      id: text,
      at: time,
      api: text,
      operation: nullable(text),
      /** Who called, such as `account:acc_...`, `token:12` or `operator:NAME`. */
      caller: nullable(text),
      ip: text,
      method: text,
      path: text,
      status: integer,
      duration_ms: real,
      error_code: nullable(text),
      limit_state: nullable(json<{ name: string; limit: number; remaining: number; resetSeconds: number }>()),
      request_headers: json<Record<string, unknown>>(),
      request_body: nullable(text),
      response_headers: json<Record<string, unknown>>(),
      response_body: nullable(text),
    },
    key: ['id'],
    indexes: [
      ['api', 'id'],
      ['operation', 'id'],
      ['caller', 'id'],
      ['ip', 'id'],
      ['status', 'id'],
      { on: ['error_code', 'id'], where: 'error_code is not null' },
      { on: ['id'], where: 'status >= 400' },
      { on: ['id'], where: 'status >= 500' },
    ],
  }),
  /** Who may use the manage API beside the installation's own token. */
  operators: table({
    columns: {
      id: text,
      name: text,
      /** `operator` or `viewer`. */
      role: text,
      secret_hash: text,
      active: boolean,
      created_at: time,
      last_used_at: nullable(time),
    },
    key: ['id'],
    unique: [['name'], ['secret_hash']],
  }),
  /** Sign-ins of the console. */
  sessions: table({
    columns: {
      /** The hash of what the cookie holds. */
      id_hash: text,
      /** Null: signed in with the installation's own token, whose fingerprint follows. */
      operator_id: nullable(text),
      token_fingerprint: nullable(text),
      created_at: time,
      expires_at: time,
      last_seen_at: time,
      ip: text,
    },
    key: ['id_hash'],
    indexes: [['operator_id'], ['expires_at']],
  }),
  /** What came in, by windows of time (`tally.ts`): figures over time are read from these few rows. */
  tallies: table({
    columns: {
      kind: text,
      /** The window's length in milliseconds. */
      width: integer,
      /** The window's start. */
      at: time,
      /** Whose: an API, an endpoint, a caller, or `*` for all of them together. */
      subject: text,
      /** What it came to, such as `succeeded`, `timeout` or the name of a limit. */
      name: text,
      total: integer,
      refused: integer,
      /** The greatest share of a limit that was used, in parts per thousand. */
      share: integer,
      /** The greatest limit that was met. */
      limit_max: integer,
      ...latency,
    },
    key: ['kind', 'width', 'at', 'subject', 'name'],
    greatest: ['share', 'limit_max'],
    indexes: [['width', 'at'], ['subject', 'width', 'at'], { on: ['width', 'at'], where: 'refused > 0' }],
  }),
  /** Verifications of pacts that were published here, the newest few. */
  verifications: table({
    columns: { id: text, created_at: time, ok: boolean, interactions: integer, failed: integer, providers: json<string[]>() },
    key: ['id'],
  }),
  /** The whole report of each, beside it: lists need not read them. */
  verification_reports: table({ columns: { id: text, report: json<unknown>() }, key: ['id'] }),
  /** Facts about this installation, such as that the demo data was made. */
  facts: table({
    columns: { name: text, value: text, created_at: time },
    key: ['name'],
  }),
} as const;

type Tables = typeof tables;
export type TableName = keyof Tables;
type Columns<T extends TableName> = Tables[T]['columns'];
type Value<C> = C extends Column<infer V> ? V : never;

/** A row of a table, as every adapter returns it. */
export type Row<T extends TableName> = { -readonly [C in keyof Columns<T>]: Value<Columns<T>[C]> };

/** A new row: an `id` that the store counts itself may be left out. */
export type Insert<T extends TableName> = Row<T>['id' & keyof Row<T>] extends number
  ? Omit<Row<T>, 'id'> & { id?: number }
  : Row<T>;

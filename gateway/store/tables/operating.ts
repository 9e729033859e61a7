import { apiNames } from '../../../spec/documents/services.ts';
import { boolean, column, integer, json, nullable, oneOf, real, table, text, time } from './columns.ts';

/** The APIs that answer calls. `gateway` stands for paths outside every API. */
export const callApis = [...apiNames, 'gateway'] as const;
export type CallApi = (typeof callApis)[number];

export const operatorRoles = ['operator', 'viewer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What a process of the scale tier does. */
export const processRoles = ['all', 'api', 'worker'] as const;
export type ProcessRole = (typeof processRoles)[number];

/** What an operator's change did to one row. A secret is shown as `[secret]`. */
export interface AuditedRow {
  table: string;
  /** The row's key; several values are joined by a slash. */
  id: string;
  did: 'created' | 'changed' | 'removed';
  /** By column: the value before, null if it is not known, and the value after. */
  fields: Record<string, { before: unknown; after: unknown }>;
}

/** The tables of the gateway itself: recorded calls, operators, the audit trail. */
export const operatingTables = {
  calls: table({
    columns: {
      id: text,
      at: time,
      api: column<CallApi>('text'),
      operation: nullable(text),
      /** The caller: `account:acc_...`, `token:12`, `operator:NAME`. */
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
    daily: { by: 'id', prefix: 'call' },
    indexes: [
      ['operation', 'id'],
      ['caller', 'id'],
      { on: ['error_code', 'id'], where: 'error_code is not null' },
      { on: ['id'], where: 'status >= 400' },
      { on: ['id'], where: 'status >= 500' },
    ],
  }),
  /** People and programs that may use the manage API, beside the installation's own token. */
  operators: table({
    columns: {
      id: text,
      name: text,
      role: oneOf(operatorRoles),
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
      /** The hash of the cookie's value. */
      id_hash: text,
      /** Null for a sign-in with the installation's own token; `token_fingerprint` then identifies the token. */
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
  /** What operators did. Rows are added in the transaction of the change, and only retention removes them. */
  audit: table({
    columns: {
      id: text,
      at: time,
      /** `operator`, `operator:NAME`; null for a failed sign-in. */
      operator: nullable(text),
      /** The operation of the manage API, such as `rotateEndpointSecret`. */
      action: text,
      ok: boolean,
      /** The id in the path, or of the row that was created. */
      target: nullable(text),
      ip: text,
      call_id: text,
      changes: json<AuditedRow[]>(),
      /** The number of changed rows that `changes` does not list. */
      more: integer,
    },
    key: ['id'],
    indexes: [['operator', 'id'], ['action', 'id'], { on: ['target', 'id'], where: 'target is not null' }],
  }),
  /** Work that one process at a time does (`Store.alone`). */
  leases: table({
    columns: {
      name: text,
      /** The process that works, as `host:pid`. */
      holder: text,
      /** Counts how often the lease was taken. A holder with an earlier generation has lost the lease. */
      generation: integer,
      /** By the database's clock. */
      expires_at: time,
    },
    key: ['name'],
  }),
  /** The processes of this installation (`manage/processes/`). */
  processes: table({
    columns: {
      id: text,
      version: text,
      role: oneOf(processRoles),
      host: text,
      pid: integer,
      /** How far its machine's clock is ahead of the store's; null if they are one. */
      clock_skew_seconds: nullable(real),
      started_at: time,
      seen_at: time,
    },
    key: ['id'],
  }),
  /** Facts about this installation, such as that the demo data exists. */
  facts: table({ columns: { name: text, value: text, created_at: time }, key: ['name'] }),
} as const;

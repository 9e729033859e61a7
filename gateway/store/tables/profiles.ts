import { boolean, column, nullable, table, text, time } from './columns.ts';
import type { Partner } from './webhooks.ts';

/** What opened a session: an API key (`key:ID`), a token (`token:ID`), or a link of an operator (`link:ID`). */
export type ProfileCredential = `${'key' | 'token' | 'link'}:${string}`;

/** The tables of the profile: how partners sign in. */
export const profileTables = {
  /** Links that an operator made for a partner. Each opens one session. */
  profile_links: table({
    columns: {
      id: text,
      secret_hash: text,
      owner: column<Partner>('text'),
      read_only: boolean,
      /** The operator's name. */
      created_by: text,
      created_at: time,
      expires_at: time,
      used_at: nullable(time),
    },
    key: ['id'],
    unique: [['secret_hash']],
    indexes: [['owner', 'id'], ['expires_at']],
  }),
  /** Sessions of partners. Only hashes of their ids are stored. */
  profile_sessions: table({
    columns: {
      id_hash: text,
      owner: column<Partner>('text'),
      credential: column<ProfileCredential>('text'),
      read_only: boolean,
      created_at: time,
      expires_at: time,
      last_seen_at: time,
      ip: text,
    },
    key: ['id_hash'],
    indexes: [['owner'], ['expires_at']],
  }),
} as const;

import { type Kysely, sql } from 'kysely';

/** Saved views of the console's lists. */
export const views = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table passerelle.views (
    id text collate "C" not null,
    list text collate "C" not null,
    name text collate "C" not null,
    filters json not null,
    created_by text collate "C" not null,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (id),
    unique (list, name)
  )`,
];

import { type Kysely, sql } from 'kysely';

/** The owner of a recovery, so that an owner's list does not depend on how many recoveries others have. There are few recoveries. */
export const recoveryOwners = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'alter table passerelle.recoveries add column owner text collate "C"',
  `update passerelle.recoveries set owner = filter->>'owner' where filter->>'owner' is not null`,
  'create index recoveries_owner_id on passerelle.recoveries (owner, id) where owner is not null',
];

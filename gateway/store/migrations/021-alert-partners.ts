import { type Kysely, sql } from 'kysely';

/**
 * The partner whom an alert concerns, so that operators find the alerts about a partner's endpoints beside those that the partner
 * was told. Retention keeps alerts few, so those from before get theirs here.
 */
export const alertPartners = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'alter table passerelle.alerts add column about text collate "C"',
  'update passerelle.alerts set about = owner where owner is not null',
  `update passerelle.alerts a set about = e.owner from passerelle.endpoints e
    where a.owner is null and e.id = a.subject and e.owner <> 'operator'`,
  'create index alerts_about_id on passerelle.alerts (about, id) where about is not null',
];

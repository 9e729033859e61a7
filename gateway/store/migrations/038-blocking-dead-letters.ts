import { type Kysely, sql } from 'kysely';

/** Which endpoints dead letters block. */
export const blockingDeadLetters = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(statement).execute(db);
  },
};

const statement = `create index deliveries_blocking_dead on passerelle.deliveries (endpoint_id, id)
  where status = 'failed' and order_key is not null`;

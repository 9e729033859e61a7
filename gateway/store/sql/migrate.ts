import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { SettingsError } from '../../base/errors.ts';
import { type Schema, schema } from '../migrations/index.ts';
import { schemaName } from './conditions.ts';
import { translated } from './errors.ts';

/**
 * Migrates the schema. A schema that a newer version has migrated is left as it is; throws a SettingsError if that version says
 * that this one cannot use it.
 */
export async function migrate(db: Kysely<unknown>, { migrations, oldestReader }: Schema = schema): Promise<void> {
  await translated('migrations', () => sql`create schema if not exists ${sql.id(schemaName)}`.execute(db));
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const migrator = new Migrator({ db, provider, migrationTableSchema: schemaName });
  const { error } = await migrator.migrateToLatest();
  const noted = await notedReader(db);
  if (error instanceof Error && error.message.includes('corrupted migrations')) {
    if (noted !== null && noted in migrations) return;
    throw new SettingsError(
      `The data was written by a newer version of Passerelle (${error.message}). Start that version, or point DATA_DIR or DATABASE_URL elsewhere.`,
    );
  }
  if (error) throw error;
  // If two processes write the comment at the same time, one fails. So only the first start after an upgrade writes it: it has
  // the lock of migrations.
  if (noted !== oldestReader) await sql.raw(`comment on schema ${schemaName} is '${oldestReader}'`).execute(db);
}

/** Returns the oldest version that can use the schema, as the newest version noted it in the schema's comment. */
async function notedReader(db: Kysely<unknown>): Promise<string | null> {
  const { rows } = await sql<{ noted: string | null }>`
    select obj_description(to_regnamespace(${schemaName})::oid, 'pg_namespace') as noted`.execute(db);
  return rows[0]?.noted ?? null;
}

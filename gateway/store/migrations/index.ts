import { initial } from './001-initial.ts';
import type { Statements } from './run.ts';

/** What a version makes of a database. */
export interface Schema {
  /** All migrations, in order. A released one never changes. */
  migrations: Readonly<Record<string, Statements>>;
  /**
   * The oldest version that can use this schema, named by the newest migration of that version. Later
   * migrations only add tables and columns that this version does not have to write. So its processes
   * can run beside newer ones, and can start again. A migration that removes something, or changes its
   * meaning, raises this value. It comes one release after the code that no longer uses the removed
   * thing.
   */
  oldestReader: string;
}

export const schema: Schema = {
  migrations: { '001-initial': initial },
  oldestReader: '001-initial',
};

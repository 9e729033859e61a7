import { isRecord, type Json } from '../../contracts/tools/json.ts';
import { newIdAt } from '../../gateway/base/ids.ts';
import { numbered } from '../seed/cohesion-shapes.ts';
import type { SeedChange } from './types.ts';

/** The ids of rows that a seed leaves out, so that words are remembered by them. */
const identified: Readonly<Record<'sales' | 'financings', (rows: readonly Json[], now: number) => Json[]>> = {
  sales: (rows, now) => rows.map((row) => ({ ...row, id: row.id ?? newIdAt('sale', Date.parse(String(row.created_at)) || now) })),
  financings: numbered,
};

interface OwnWords {
  table: keyof typeof identified;
  field: string;
  /** The reference's own values, which a seed may have as well. */
  reference: readonly string[];
  /** The service's words by the ids of rows. */
  words: Map<string, string>;
  /** Returns the reference's value that stands for a word; undefined for an unknown one. */
  standsFor(word: string): string | undefined;
}

/** Seeds and states in which a field has the service's own words. */
export const wordsOfSeed = ({ table, field, reference, words, standsFor }: OwnWords): SeedChange => ({
  read(fixtures, now) {
    const rows = fixtures[table];
    // The check of fixtures names what is wrong.
    if (!Array.isArray(rows) || !rows.every(isRecord)) return fixtures;
    const read = identified[table](rows, now).map((row) => {
      const word = row[field];
      if (typeof word !== 'string' || reference.includes(word)) return row;
      const standing = standsFor(word);
      if (standing === undefined) return row;
      words.set(String(row.id), word);
      return { ...row, [field]: standing };
    });
    return { ...fixtures, [table]: read };
  },
  show(fixtures) {
    const shown = (fixtures[table] as Json[]).map((row) => {
      const word = words.get(String(row.id));
      // The back office may have changed the value since.
      return word !== undefined && standsFor(word) === row[field] ? { ...row, [field]: word } : row;
    });
    return { ...fixtures, [table]: shown };
  },
});

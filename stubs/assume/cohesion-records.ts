import { on, records } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { carriedBy, carrying } from './carried.ts';
import { countedAgain, countsOf } from './cohesion-counts.ts';
import { keeping } from './cohesion-lists.ts';
import { perimeterOf } from './cohesion-perimeter.ts';
import { furtherStatuses, ownStatus } from './cohesion-statuses.ts';
import type { Memory, Variant, Variants } from './types.ts';

/** Alternatives under which lists and statistics have other records, or show them in other states. */

const interventions = 'GET /interventions';
const readsToo = 'cohesion.perimeter=reads-too';
const further = 'cohesion.intervention-statuses=further';

const narrowed: Readonly<Record<string, string>> = { structures: 'id', interventions: 'structure_id' };
const lists = ['GET /structures', 'GET /interventions'];

/** Lists and statistics have the structures of the perimeter only, and what belongs to them. */
const limitsReads = (memory: Memory): Variant => ({
  request({ operation, query }, around) {
    const ids = lists.includes(operation) ? perimeterOf(around) : null;
    return ids === null ? {} : { query: carrying(memory, 'perimeter', JSON.stringify(ids), query) };
  },
  list(query) {
    const column = narrowed[query.table];
    const { value, query: plain } = carriedBy(memory, 'perimeter', query);
    if (value === undefined || column === undefined) return plain;
    const ids = new Set<unknown>(JSON.parse(value) as number[]);
    return keeping(plain, (row) => ids.has(row[column]));
  },
  look: countsOf(memory),
  reply: countedAgain(readsToo, ['interventions', 'structures', 'financements']),
});

/** Interventions have further statuses in lists, filters and statistics. */
const furtherInLists = (memory: Memory): Variant => ({
  request({ operation, query }) {
    const { statut } = query;
    if (operation !== interventions || statut === undefined || statut === '') return {};
    const reference = furtherStatuses.find((one) => one.statut === statut)?.of ?? statut;
    return { query: carrying(memory, 'status', statut, { ...query, statut: reference }) };
  },
  list(query) {
    if (query.table !== 'interventions') return query;
    const { value, query: plain } = carriedBy(memory, 'status', query);
    return value === undefined ? plain : keeping(plain, (row) => ownStatus(furtherStatuses, row) === value);
  },
  look: countsOf(memory),
  reply: (reply, asked) =>
    countedAgain(further, ['interventions'])(
      on(interventions, records(withFields((row) => ({ statut: ownStatus(furtherStatuses, row) }))))(reply, asked),
      asked,
    ),
});

export const cohesionRecordVariants: Variants = {
  [readsToo]: limitsReads,
  [further]: furtherInLists,
};

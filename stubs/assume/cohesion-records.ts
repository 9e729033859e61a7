import { on, records } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { carriedBy, carrying } from './carried.ts';
import { countedAgain, countsOf } from './cohesion-counts.ts';
import { keeping } from './cohesion-lists.ts';
import { type Caller, perimeterOf } from './cohesion-perimeter.ts';
import { furtherStatuses, type OwnStatus, ownStatus, ownStatusesIn, submittedOnly } from './cohesion-statuses.ts';
import type { Memory, Variant, Variants } from './types.ts';

/** Alternatives under which lists and statistics have other records, or show them in other states. */

const interventions = 'GET /interventions';
const readsToo = 'cohesion.perimeter=reads-too';
const further = 'cohesion.intervention-statuses=further';
const ownState = 'cohesion.validation-source=own-state';

const writes = ['POST /financements', 'PUT /financements/{id}'];

/** The perimeter of a token is its user’s, or else the region of its first structure: users of the stub have no region. */
const ofUser = (): Variant => {
  const perimeters = new WeakMap<object, readonly number[] | null>();
  return {
    async request({ operation }, around) {
      if (writes.includes(operation)) perimeters.set(around.caller as object, await perimeterOf(around));
      return undefined;
    },
    caller(caller) {
      const ids = perimeters.get(caller);
      return ids === undefined ? caller : { ...caller, token: { ...(caller as Caller).token, structure_ids: ids } };
    },
  };
};

const narrowed: Readonly<Record<string, string>> = { structures: 'id', interventions: 'structure_id' };
const lists = ['GET /structures', 'GET /interventions'];

/** Lists and statistics have the structures of the perimeter only, and what belongs to them. */
const limitsReads = (memory: Memory): Variant => ({
  async request({ operation, query }, around) {
    const ids = lists.includes(operation) ? await perimeterOf(around) : null;
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

/** Interventions have these statuses in lists, filters and statistics. */
const statuses =
  (assumed: string, own: readonly OwnStatus[]) =>
  (memory: Memory): Variant => ({
    request({ operation, query }, { alternativeOf }) {
      const { statut } = query;
      // Both alternatives of statuses may be active. One of them has all that the other has.
      const isAsked = operation === interventions && ownStatusesIn(alternativeOf) === own;
      if (!isAsked || statut === undefined || statut === '') return {};
      const reference = own.find((one) => one.statut === statut)?.of ?? statut;
      return { query: carrying(memory, 'status', statut, { ...query, statut: reference }) };
    },
    list(query) {
      if (query.table !== 'interventions') return query;
      const { value, query: plain } = carriedBy(memory, 'status', query);
      return value === undefined ? plain : keeping(plain, (row) => ownStatus(own, row) === value);
    },
    look: countsOf(memory),
    reply: (reply, asked) =>
      countedAgain(assumed, ['interventions'])(
        on(interventions, records(withFields((row) => ({ statut: ownStatus(own, row) }))))(reply, asked),
        asked,
      ),
  });

export const cohesionRecordVariants: Variants = {
  [readsToo]: limitsReads,
  'cohesion.perimeter=of-user': ofUser,
  [further]: statuses(further, furtherStatuses),
  [ownState]: statuses(ownState, submittedOnly),
};

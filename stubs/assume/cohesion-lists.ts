import { on, records } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { seenBy } from './seen.ts';
import type { ListChange, ListQuery, Variant, Variants } from './types.ts';

const structures = 'GET /structures';
const interventions = 'GET /interventions';

type Kept = Readonly<Record<string, unknown>>;

const ordered =
  (column: (table: string) => string, direction: 'asc' | 'desc'): ListChange =>
  (query) =>
    query.order.length === 0
      ? query
      : {
          ...query,
          order: [[column(query.table), direction], ...(column(query.table) === 'id' ? [] : [['id', 'asc'] as const])],
        };

const nameColumns: Readonly<Record<string, string>> = { indicators: 'code', structures: 'nom', interventions: 'reference' };

/** Keeps only the rows for which `keeps` returns true, beside the conditions of before. */
export const keeping = (query: ListQuery, keeps: (row: Kept) => boolean): ListQuery => ({
  ...query,
  keeps: (row) => (query.keeps?.(row) ?? true) && keeps(row),
});

/** An indicator that was never given a value is hidden from the list and from the statistics. */
const withoutValue: Variant = {
  list: (query) => (query.table === 'indicators' ? keeping(query, hasValue) : query),
};

/** A target that is missed by a value of 0 is in alert once that value is set. */
const hasValue = ({ valeur_courante, alert_state }: Kept) => valeur_courante !== 0 || alert_state !== 'none';

/** Fields of which the stub knows nothing are there, and empty. */
const emptyFields = (operation: string, fields: Readonly<Record<string, unknown>>): Variant => ({
  reply: on(operation, records(withFields(() => fields))),
});

const structureObjects = 'cohesion.intervention-fields=structure-object';

/** Names the structure of each intervention. */
const structureObject: Variant = {
  async look({ operation }, { store }) {
    if (operation !== interventions) return undefined;
    const all = await store.list('structures', {});
    return new Map(all.map(({ id, nom }) => [id, nom]));
  },
  reply: (reply, asked) => {
    const names = (seenBy(asked, structureObjects) ?? new Map()) as Map<number, string>;
    return on(
      interventions,
      records((record) => {
        const { structure_id, ...others } = fieldsOf(record);
        return { ...others, structure: { id: structure_id, nom: names.get(Number(structure_id)) ?? null } };
      }),
    )(reply, asked);
  },
};

export const cohesionListVariants: Variants = {
  'cohesion.list-order=newest-first': { reply: (reply) => reply, list: ordered(() => 'id', 'desc') },
  'cohesion.list-order=by-name': {
    reply: (reply) => reply,
    list: ordered((table) => nameColumns[table] ?? 'id', 'asc'),
  },
  'cohesion.indicator-without-value=not-listed': withoutValue,
  'cohesion.indicator-detail=further': emptyFields('GET /indicateurs/{id}', { description: null, historique: [] }),
  'cohesion.intervention-fields=further': emptyFields(interventions, { description: null, lieu: null, beneficiaires: null }),
  'cohesion.structure-fields=contacts': emptyFields(structures, { adresse: null, contacts: [] }),
  [structureObjects]: structureObject,
};

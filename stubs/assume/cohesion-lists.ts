import { body, data, on, records } from '../../contracts/tools/assumptions/changes.ts';
import { mappedValues, withFields } from '../../contracts/tools/assumptions/values.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { mapIn } from './memory.ts';
import { wrong } from './refused.ts';
import { seenBy } from './seen.ts';
import type { ListChange, ListQuery, Memory, Variant, Variants } from './types.ts';

const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];
const structures = 'GET /structures';
const interventions = 'GET /interventions';
const stats = 'GET /stats';

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

const containedIn = ({ where }: ListQuery) => (where.search as { contains?: string } | undefined)?.contains;

const words = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Searches for whole words, whatever their case and accents. */
const wholeWords: Variant = {
  reply: (reply) => reply,
  list(query) {
    const text = containedIn(query);
    if (text === undefined) return query;
    const wanted = words(text);
    // The words may stand apart, so the whole text need not be found.
    const { search: _search, ...where } = query.where;
    return keeping({ ...query, where }, ({ search }) => wanted.every((word) => words(String(search)).includes(word)));
  },
};

/** Follows a text that is searched for with its accents. Folding leaves it and the digits after it as they are. */
const exactMark = '\u{e000}';

/** Searches for the text with its accents. The store has titles without accents too, so the text as sent goes along. */
const exactAccents = (memory: Memory): Variant => {
  const sentTexts = mapIn<string>(memory, 'texts searched for');
  return {
    request({ operation, query }) {
      const text = query.q?.trim() ?? '';
      if (!lists.includes(operation) || text === '' || text.length > 180) return {};
      const known = [...sentTexts].find(([, one]) => one === text)?.[0];
      const number = known ?? String(sentTexts.size);
      sentTexts.set(number, text);
      return { query: { ...query, q: `${text}${exactMark}${number}` } };
    },
    reply: (reply) => reply,
    list(query) {
      const [folded = '', number = ''] = containedIn(query)?.split(exactMark) ?? [];
      const text = sentTexts.get(number);
      if (text === undefined) return query;
      const wanted = text.toLowerCase();
      const next = { ...query, where: { ...query.where, search: { contains: folded } } };
      return keeping(next, ({ intitule, nom }) =>
        String(intitule ?? nom)
          .toLowerCase()
          .includes(wanted),
      );
    },
  };
};

const partners = ['partenaire', 'collectivite', 'association'];
const threeTypes = mappedValues({ collectivite: 'partenaire', association: 'partenaire' });

/** Structures have the three types of the examples. */
const threeOnly: Variant = {
  reply: (reply, asked) =>
    [
      on(structures, records(withFields(({ type }) => ({ type: threeTypes(type) })))),
      on(
        stats,
        data(
          withFields(({ structures: counted }) => ({
            structures: withFields(({ par_type }) => ({ par_type: mergedCounts(fieldsOf(par_type)) }))(counted),
          })),
        ),
      ),
    ].reduce((changed, change) => change(changed, asked), reply),
  list(query) {
    const { type } = query.where;
    if (query.table !== 'structures' || typeof type !== 'string' || !partners.includes(type)) return query;
    return { ...query, where: { ...query.where, type: { in: type === 'partenaire' ? partners : [] } } };
  },
};

function mergedCounts(counts: Readonly<Record<string, unknown>>): Record<string, number> {
  const merged: Record<string, number> = {};
  for (const [type, count] of Object.entries(counts)) {
    const own = String(threeTypes(type));
    merged[own] = (merged[own] ?? 0) + Number(count);
  }
  return merged;
}

/** An opaque text that stands for a page. */
const cursorOf = (page: number) => Buffer.from(`page:${page}`).toString('base64url');
const pageAt = (cursor: string) => /^page:([1-9]\d*)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];

/** The next page is asked for with the cursor in meta.next_cursor. The documented members of meta stay. */
const cursors: Variant = {
  request({ operation, query }) {
    if (!lists.includes(operation)) return {};
    const { cursor, ...others } = query;
    if (others.page !== undefined)
      return wrong(422, wrongValue('page', 'is not a parameter of this list: send the cursor of meta.next_cursor'));
    if (cursor === undefined) return {};
    const page = pageAt(cursor);
    return page === undefined
      ? wrong(422, wrongValue('cursor', 'must be a next_cursor of this list'))
      : { query: { ...others, page } };
  },
  reply: on(
    lists,
    body(
      withFields(({ meta }) => ({
        meta: withFields(({ page, last_page }) => ({
          next_cursor: Number(page) < Number(last_page) ? cursorOf(Number(page) + 1) : null,
        }))(meta),
      })),
    ),
  ),
};

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
  'cohesion.search=whole-words': wholeWords,
  'cohesion.search=exact-accents': exactAccents,
  'cohesion.structure-types=three-only': threeOnly,
  'cohesion.page-parameter=cursor': cursors,
  'cohesion.indicator-without-value=not-listed': withoutValue,
  'cohesion.indicator-detail=further': emptyFields('GET /indicateurs/{id}', { description: null, historique: [] }),
  'cohesion.intervention-fields=further': emptyFields(interventions, { description: null, lieu: null, beneficiaires: null }),
  'cohesion.structure-fields=contacts': emptyFields(structures, { adresse: null, contacts: [] }),
  [structureObjects]: structureObject,
};

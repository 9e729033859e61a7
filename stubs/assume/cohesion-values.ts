import type { Asked, JsonReply } from '../../contracts/tools/assumptions/alternative.ts';
import { body, data, on } from '../../contracts/tools/assumptions/changes.ts';
import { isError, isOperation, sent, when } from '../../contracts/tools/assumptions/conditions.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { structuresOf } from '../../gateway/api/cohesion/domain/perimeter.ts';
import type { CohesionCaller } from '../../gateway/api/cohesion/identity.ts';
import { financingStatuses, financingTypes } from '../../gateway/store/tables/cohesion.ts';
import { countedRows, summedAgain, sumsOf, tally } from './cohesion-counts.ts';
import { mapIn } from './memory.ts';
import { notFound, wrong } from './refused.ts';
import { wordsOfSeed } from './seeds.ts';
import { seenBy } from './seen.ts';
import { textsIn, unknownMark } from './texts.ts';
import type { Around, Memory, Variant, Variants } from './types.ts';

const create = 'POST /financements';
const update = 'PUT /financements/{id}';
const writes = [create, update];
const stats = 'GET /stats';

/** Returns the reference's value that stands for a value of the service; undefined if the service does not take it. */
type Standing = (value: string) => string | undefined;

interface Own {
  field: 'type' | 'statut';
  standsFor: Standing;
  /** What refusals say that it must be. */
  known: string;
}

/** Values of a financing that stand for the reference's. The financing keeps the one that was sent. */
const ownValues =
  ({ field, standsFor, known }: Own, more: (memory: Memory) => Variant = () => ({})) =>
  (memory: Memory): Variant => {
    const own = mapIn<string>(memory, `${field} of financings`);
    const further = more(memory);
    return {
      ...further,
      seed: wordsOfSeed({ table: 'financings', field, reference: referenceValues[field], words: own, standsFor }),
      request(asked) {
        const value = sent(asked)[field];
        if (!writes.includes(asked.operation) || typeof value !== 'string') return {};
        return { body: { ...sent(asked), [field]: standsFor(value) ?? `${unknownMark}${value}` } };
      },
      reply(reply, asked) {
        const kept = on(
          writes,
          data(
            withFields((record) => {
              const value = sent(asked)[field];
              if (typeof value === 'string') own.set(String(record.id), value);
              return { [field]: own.get(String(record.id)) ?? record[field] };
            }),
          ),
        );
        const refused = when(
          (call, answer) => isError(call, answer) && isOperation(...writes)(call, answer),
          body((held) => textsIn(held, (text) => text.replace(`must be one of ${reference[field]}`, known))),
        );
        const changes = [kept, refused, ...(further.reply ? [further.reply] : [])];
        return changes.reduce((changed: JsonReply, change) => change(changed, asked), reply);
      },
    };
  };

const referenceValues = { type: financingTypes, statut: financingStatuses } as const;

/** The reference's values, as its refusals name them. */
const reference = { type: financingTypes.join(', '), statut: financingStatuses.join(', ') } as const;

const kindsOfMoney = ['bailleur', 'don', 'pret', 'subvention'];
const stored: readonly string[] = financingStatuses;
const furtherStatuses: Readonly<Record<string, string>> = { en_cours: 'obtenu', cloture: 'decaisse' };

const furtherStatus = 'cohesion.financing-statuses=further';

/** Refuses a financing that has the fields of another. */
const repeatRefused: Variant = {
  async request(asked, { store }) {
    const { structure_id, exercice, bailleur, intitule, montant } = sent(asked);
    if (asked.operation !== create || typeof structure_id !== 'number' || typeof exercice !== 'number') return undefined;
    const rows = await store.list('financings', { where: { structure_id, exercice } });
    const same = rows.find((row) => row.bailleur === bailleur && row.intitule === intitule && Number(row.montant) === montant);
    return (
      same &&
      wrong(422, [
        { field: 'intitule', rule: 'repeated', message: `equals that of financing ${same.id}, of the same funder and amount` },
      ])
    );
  },
};

/** A request that is wrong only in its structure, so that the reference says so before anything else. */
const onlyOutside = { exercice: 2026, bailleur: 'x', type: 'bailleur', intitule: 'x', montant: 1, statut: 'promis' };

/** Judges the perimeter before the other fields. */
const perimeterFirst: Variant = {
  request(asked, { caller }) {
    const { structure_id } = sent(asked);
    if (!writes.includes(asked.operation) || !Number.isInteger(structure_id)) return undefined;
    const ids = structuresOf(caller as CohesionCaller);
    if (ids === null || ids.includes(structure_id as number)) return undefined;
    return { body: asked.operation === create ? { ...onlyOutside, structure_id } : { structure_id } };
  },
};

const yearOf = (now: number) => new Date(now).getUTCFullYear();
const hourMs = 3_600_000;
const withYear = ['GET /interventions', stats];

const isYear = (value: string | undefined): value is string => /^[1-9]\d{3}$/.test(value ?? '');

async function isKnownYear(annee: number, { store }: Around): Promise<boolean> {
  const [[intervention], [financing]] = await Promise.all([
    store.list('interventions', { where: { annee }, limit: 1 }),
    store.list('financings', { where: { exercice: annee }, limit: 1 }),
  ]);
  return intervention !== undefined || financing !== undefined;
}

const byRegion: Variant = {
  async look(asked, around) {
    const rows = await countedRows(asked, around);
    const regionOf = ({ region }: { region: string }) => region;
    return rows && { interventions: tally(rows.interventions, regionOf), structures: tally(rows.structures, regionOf) };
  },
  reply: on(stats, (reply, asked) => data(withFields((held) => withRegions(held, asked)))(reply, asked)),
};

function withRegions(held: Readonly<Record<string, unknown>>, asked: Asked) {
  const seen = fieldsOf(seenBy(asked, 'cohesion.stats-fields=by-region'));
  return Object.fromEntries(Object.entries(seen).map(([name, par_region]) => [name, withFields({ par_region })(held[name])]));
}

export const cohesionValueVariants: Variants = {
  'cohesion.financing-types=any-text': ownValues({
    field: 'type',
    standsFor: (value) => (value.trim() !== '' && value.length <= 200 ? 'bailleur' : undefined),
    known: 'must be a text of 1 to 200 characters',
  }),
  'cohesion.financing-types=kinds': ownValues({
    field: 'type',
    standsFor: (value) => (kindsOfMoney.includes(value) ? 'bailleur' : undefined),
    known: `must be one of ${kindsOfMoney.join(', ')}`,
  }),
  [furtherStatus]: ownValues(
    {
      field: 'statut',
      standsFor: (value) => furtherStatuses[value] ?? (stored.includes(value) ? value : undefined),
      known: `must be one of ${[...stored, ...Object.keys(furtherStatuses)].join(', ')}`,
    },
    (memory) => ({ look: sumsOf(memory), reply: summedAgain(furtherStatus) }),
  ),
  'cohesion.repeated-post=refused': repeatRefused,
  'cohesion.check-order=perimeter-first': perimeterFirst,
  'cohesion.current-year=hour-ahead': {
    request: ({ operation, query }, { now }) =>
      operation === stats && query.annee === undefined ? { query: { ...query, annee: String(yearOf(now + hourMs)) } } : {},
  },
  'cohesion.annee-values=past-or-current': {
    request: ({ operation, query: { annee } }, { now }) =>
      withYear.includes(operation) && isYear(annee) && Number(annee) > yearOf(now)
        ? wrong(422, wrongValue('annee', `must not be after ${yearOf(now)}, the current year`))
        : undefined,
  },
  'cohesion.annee-values=unknown-404': {
    async request({ operation, query: { annee } }, around) {
      if (operation !== stats || !isYear(annee) || (await isKnownYear(Number(annee), around))) return undefined;
      return notFound('annee', `There are no statistics of ${annee}.`);
    },
  },
  'cohesion.stats-fields=by-region': byRegion,
};

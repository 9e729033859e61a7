import type { Asked } from '../../contracts/tools/assumptions/alternative.ts';
import { data, on } from '../../contracts/tools/assumptions/changes.ts';
import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { shownStatuses } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import { readableBy, structuresOf } from '../../gateway/api/cohesion/domain/perimeter.ts';
import type { CohesionCaller } from '../../gateway/api/cohesion/identity.ts';
import { registeredPolicy } from '../../gateway/api/cohesion/policy.ts';
import { type FinancingWords, financingWords } from './financing-words.ts';
import { ownWords } from './own-words.ts';
import { notFound, wrong } from './refused.ts';
import { seenBy } from './seen.ts';
import type { Around, Variant, Variants } from './types.ts';

const create = 'POST /financements';
const update = 'PUT /financements/{id}';
const writes = [create, update];
const stats = 'GET /stats';

const standIns = { type: 'bailleur', statut: 'promis' } as const;

const wordsOf = ({ field, takes, known }: FinancingWords): Variant =>
  ownWords(writes, field, {
    reference: standIns[field],
    refusal: (value) => (takes(value) ? undefined : wrong(422, wrongValue(field, known))),
  });

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
  async look({ operation, query }, { store, now, caller, policy }) {
    if (operation !== stats) return undefined;
    const annee = Number(query.annee ?? yearOf(now));
    const within = readableBy(caller as CohesionCaller, { ...registeredPolicy, ...policy });
    const ofYear = { annee, statut: { in: shownStatuses }, structure_id: within };
    const interventions = await store.list('interventions', { where: ofYear });
    const structures = await store.list('structures', { where: { active: true, id: within } });
    return { interventions: countedByRegion(interventions), structures: countedByRegion(structures) };
  },
  reply: on(stats, (reply, asked) => data(withFields((held) => withRegions(held, asked)))(reply, asked)),
};

const countedByRegion = (rows: readonly { region: string }[]) =>
  Object.fromEntries([...Map.groupBy(rows, ({ region }) => region)].sort().map(([region, own]) => [region, own.length]));

function withRegions(held: Readonly<Record<string, unknown>>, asked: Asked) {
  const seen = fieldsOf(seenBy(asked, 'cohesion.stats-fields=by-region'));
  return Object.fromEntries(Object.entries(seen).map(([name, par_region]) => [name, withFields({ par_region })(held[name])]));
}

export const cohesionValueVariants: Variants = {
  ...Object.fromEntries(Object.entries(financingWords).map(([assumed, words]) => [assumed, wordsOf(words)])),
  'cohesion.check-order=perimeter-first': perimeterFirst,
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

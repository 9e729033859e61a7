import { data, on, records } from '../../contracts/gaps/is/changes.ts';
import { interventions, stats } from '../../contracts/gaps/is/cohesion.ts';
import { withFields } from '../../contracts/gaps/is/values.ts';
import { fieldsOf } from '../../contracts/json.ts';
import { shownStatuses } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import { readableBy } from '../../gateway/api/cohesion/domain/perimeter.ts';
import type { CohesionCaller } from '../../gateway/api/cohesion/identity.ts';
import { registeredPolicy } from '../../gateway/api/cohesion/policy.ts';
import type { LimitRule } from '../../gateway/http/api.ts';
import { cohesionEventVariants } from './cohesion-events.ts';
import type { Variant, Variants } from './types.ts';
import { withoutUnknownFields, withoutUnknownQuery } from './unknown-fields.ts';

/** The limit on reads that the reference does not have. */
const reads: LimitRule = {
  name: 'reads',
  windowMs: 60_000,
  max: 60,
  per: 'token',
  key: ({ caller, ip }) => caller?.id ?? ip,
  // Open operations and unknown paths have no caller.
  holdsFor: ({ caller, method }) => caller !== null && (method === 'GET' || method === 'HEAD'),
};

const byRegion: Variant = {
  at: 'names',
  async look({ operation, query }, { store, now, caller, policy }) {
    if (operation !== stats) return undefined;
    const annee = Number(query.annee ?? new Date(now).getUTCFullYear());
    const within = readableBy(caller as CohesionCaller, { ...registeredPolicy, ...policy });
    const ofYear = { annee, statut: { in: shownStatuses }, structure_id: within };
    const held = await store.list('interventions', { where: ofYear });
    const structures = await store.list('structures', { where: { active: true, id: within } });
    return { interventions: countedByRegion(held), structures: countedByRegion(structures) };
  },
  reply(reply, asked, seen) {
    const change = withFields((held) =>
      Object.fromEntries(
        Object.entries(fieldsOf(seen)).map(([name, par_region]) => [name, withFields({ par_region })(held[name])]),
      ),
    );
    return on(stats, data(change))(reply, asked);
  },
};

const countedByRegion = (rows: readonly { region: string }[]) =>
  Object.fromEntries([...Map.groupBy(rows, ({ region }) => region)].sort().map(([region, own]) => [region, own.length]));

/** Names the structure of each intervention. */
const structureObject: Variant = {
  at: 'names',
  async look({ operation }, { store }) {
    if (operation !== interventions) return undefined;
    const all = await store.list('structures', {});
    return new Map(all.map(({ id, nom }) => [id, nom]));
  },
  reply(reply, asked, seen = new Map()) {
    const names = seen as ReadonlyMap<number, string>;
    const change = (record: unknown) => {
      const { structure_id, ...others } = fieldsOf(record);
      return { ...others, structure: { id: structure_id, nom: names.get(Number(structure_id)) ?? null } };
    };
    return on(interventions, records(change))(reply, asked);
  },
};

export const cohesionVariants: Variants<'cohesion'> = {
  ...cohesionEventVariants,
  'cohesion.read-throttle=60-per-minute': { at: 'outcome', limits: [reads] },
  // Triggers of the stub (`causes/cohesion.ts`).
  'cohesion.validation-source=termine-only': { at: 'outcome' },
  'cohesion.intervention-transitions=terminate-approuve': { at: 'outcome' },
  'cohesion.strict-bodies=ignored': { at: 'outcome', request: withoutUnknownFields('cohesion') },
  'cohesion.strict-queries=ignored': { at: 'outcome', request: withoutUnknownQuery('cohesion') },
  'cohesion.stats-fields=by-region': byRegion,
  'cohesion.intervention-fields=structure-object': structureObject,
};

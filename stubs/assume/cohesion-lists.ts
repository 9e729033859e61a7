import { on, records } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { seenBy } from './seen.ts';
import type { Variant, Variants } from './types.ts';

const structures = 'GET /structures';
const interventions = 'GET /interventions';

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
  'cohesion.indicator-detail=further': emptyFields('GET /indicateurs/{id}', { description: null, historique: [] }),
  'cohesion.intervention-fields=further': emptyFields(interventions, { description: null, lieu: null, beneficiaires: null }),
  'cohesion.structure-fields=contacts': emptyFields(structures, { adresse: null, contacts: [] }),
  [structureObjects]: structureObject,
};

import { Badge, Progress } from '@mantine/core';
import { answer, api, type BodyOf, type paths, type QueryOf } from '../../../lib/api.ts';
import { count } from '../../../lib/format.ts';
import { Active, activeField, money, yesOrNo } from '../../../parts/resource/cells.tsx';
import type { ActionResult, Field, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';
import { text } from '../../../texts/index.ts';

type NewStructure = BodyOf<paths['/cohesion/structures']['post']>;
type Structure = paths['/cohesion/structures']['get']['responses'][200]['content']['application/json']['data'][number];
type Indicator = paths['/cohesion/indicators']['get']['responses'][200]['content']['application/json']['data'][number];
type Financing = paths['/cohesion/financings']['get']['responses'][200]['content']['application/json']['data'][number];

const { shared, sections, structures: structureWords, indicators: words, financings: financingWords } = text.backOffice;

const one = (id: number) => ({ params: { path: { id } } });

const structureTypes = ['ong', 'ministere', 'partenaire', 'collectivite', 'association'];

const structureFields = (structure: Structure | null): Field<keyof NewStructure>[] => [
  { name: 'nom', label: shared.name, kind: 'text', initial: structure?.nom },
  { name: 'sigle', label: structureWords.shortName, kind: 'text', initial: structure?.sigle, optional: true, emptyIsNull: true },
  { name: 'type', label: shared.type, kind: 'choice', choices: structureTypes, initial: structure?.type ?? 'ong' },
  { name: 'region', label: shared.region, kind: 'text', initial: structure?.region, placeholder: 'Gbêkê' },
];

export const structures: Resource<Structure> = {
  name: 'structures',
  title: sections.structures,
  description: structureWords.description,
  empty: structureWords.empty,
  load: async (query: QueryOf<paths['/cohesion/structures']['get']>) =>
    answer(api.GET('/cohesion/structures', { params: { query } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ nom }) => nom,
  columns: [
    { header: shared.name, cell: ({ nom }) => nom },
    { header: structureWords.short, kind: 'short', cell: ({ sigle }) => sigle ?? '–' },
    { header: shared.type, kind: 'short', cell: ({ type }) => type },
    { header: shared.region, kind: 'name', cell: ({ region }) => region },
    { header: shared.state, kind: 'status', cell: ({ active }) => <Active is={active} /> },
    { header: shared.id, kind: 'short', cell: ({ id }) => id },
  ],
  create: {
    label: structureWords.create,
    fields: () => structureFields(null),
    async run(_, values: NewStructure) {
      const { data } = await answer(api.POST('/cohesion/structures', { body: values }));
      return { message: shared.wasCreated(data.nom), createdId: String(data.id) };
    },
  },
  actions: [
    {
      label: shared.edit,
      fields: (structure) => [...structureFields(structure), activeField(structure.active)],
      async run({ id }, values: BodyOf<paths['/cohesion/structures/{id}']['patch']>) {
        const { data } = await answer(api.PATCH('/cohesion/structures/{id}', { ...one(id), body: values }));
        return { message: shared.wasChanged(data.nom) };
      },
    },
  ],
};

function AlertBadge({ of: state }: { of: Indicator['alert_state'] }) {
  if (state === 'none') return <span>{shared.no}</span>;
  return (
    <Badge color={state === 'under' ? 'red' : 'yellow'} title={words.threshold[state]}>
      {words.alertState[state]}
    </Badge>
  );
}

/** The event is sent when an indicator crosses a threshold, not while it stays beyond it. */
function resultOf(before: Indicator, after: Indicator): ActionResult {
  const { code, valeur_courante: value, unite, taux_atteinte: rate, alert_state: state } = after;
  const figures = [code, value, unite, rate] as const;
  if (state === 'none')
    return { message: (before.alert_state === 'none' ? words.isSet : words.recovered)(...figures), events: [] };
  if (state === before.alert_state) return { message: words.still[state](...figures), events: [] };
  return { message: words.crossed[state](...figures), events: ['indicator.alert'] };
}

export const indicators: Resource<Indicator> = {
  name: 'indicators',
  title: sections.indicators,
  description: words.description,
  empty: words.empty,
  load: async (query: QueryOf<paths['/cohesion/indicators']['get']>) =>
    answer(api.GET('/cohesion/indicators', { params: { query } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ code, intitule }) => shared.titled(code, intitule),
  columns: [
    { header: words.code, kind: 'short', cell: ({ code }) => code },
    { header: shared.heading, cell: ({ intitule }) => intitule },
    {
      header: words.valueAndTarget,
      kind: 'name',
      cell: ({ valeur_courante: value, cible_annuelle: target }) => words.valueOfTarget(value, target),
    },
    {
      header: words.reached,
      kind: 'name',
      cell: ({ taux_atteinte: rate, alert_state: state }) => (
        <Progress
          value={Math.min(100, rate)}
          color={state === 'none' ? 'teal' : state === 'under' ? 'red' : 'yellow'}
          aria-label={words.reachedRate(rate)}
          title={`${rate} %`}
        />
      ),
    },
    { header: words.alert, kind: 'status', cell: ({ alert_state: state }) => <AlertBadge of={state} /> },
    { header: shared.state, kind: 'status', cell: ({ active }) => <Active is={active} /> },
  ],
  facts: (row) => [
    [words.value, `${count(row.valeur_courante)} ${row.unite}`],
    [words.target, `${count(row.cible_annuelle)} ${row.unite}`],
    [words.reached, `${row.taux_atteinte} %`],
    [words.alert, row.alert_state === 'none' ? shared.no : words.threshold[row.alert_state]],
    [shared.type, row.type],
    [words.key, yesOrNo(row.is_kpi)],
    [shared.state, <Active key="active" is={row.active} />],
    [shared.changed, <Time key="changed" at={row.updated_at} />],
  ],
  create: {
    label: words.create,
    fields: () => [
      { name: 'code', label: words.code, kind: 'text', placeholder: 'IND-007', help: words.codeHelp },
      { name: 'intitule', label: shared.heading, kind: 'text' },
      { name: 'type', label: shared.type, kind: 'choice', choices: ['activite', 'resultat', 'impact'], initial: 'activite' },
      { name: 'unite', label: words.unit, kind: 'text', placeholder: 'comités' },
      { name: 'cible_annuelle', label: words.target, kind: 'number' },
      { name: 'is_kpi', label: words.keyField, kind: 'flag' },
    ],
    async run(_, values: BodyOf<paths['/cohesion/indicators']['post']>) {
      const { data } = await answer(api.POST('/cohesion/indicators', { body: values }));
      return { message: words.created(data.code), createdId: String(data.id) };
    },
  },
  actions: [
    {
      label: words.setValue,
      offered: ({ active }) => active,
      fields: ({ valeur_courante: value, cible_annuelle: target, unite }) => [
        {
          name: 'valeur_courante',
          label: words.valueIn(unite),
          kind: 'number',
          initial: value,
          help: words.valueHelp(target, target * 0.5, target * 1.2),
        },
      ],
      async run(before, values: BodyOf<paths['/cohesion/indicators/{id}/value']['put']>) {
        const { data } = await answer(api.PUT('/cohesion/indicators/{id}/value', { ...one(before.id), body: values }));
        return resultOf(before, data);
      },
    },
    ...[true, false].map((active) => ({
      label: active ? words.activate : words.deactivate,
      offered: (row: Indicator) => row.active !== active,
      async run({ id, code }: Indicator) {
        await answer(api.PATCH('/cohesion/indicators/{id}', { ...one(id), body: { active } }));
        return { message: active ? words.activated(code) : words.deactivated(code) };
      },
    })),
  ],
};

export const financings: Resource<Financing> = {
  name: 'financings',
  title: sections.financings,
  description: financingWords.description,
  empty: financingWords.empty,
  filters: [{ name: 'structure_id', label: shared.structure, kind: 'text', placeholder: '4', width: 90 }],
  load: async (query: QueryOf<paths['/cohesion/financings']['get']>) =>
    answer(api.GET('/cohesion/financings', { params: { query } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ intitule }) => intitule,
  columns: [
    { header: shared.heading, cell: ({ intitule }) => intitule },
    { header: financingWords.amount, kind: 'figures', cell: ({ montant, devise }) => money(montant, devise) },
    { header: financingWords.funder, kind: 'name', cell: ({ bailleur }) => bailleur },
    { header: shared.type, kind: 'short', cell: ({ type }) => type },
    { header: shared.state, kind: 'short', cell: ({ statut }) => statut },
    { header: shared.year, kind: 'number', cell: ({ exercice }) => exercice },
    { header: shared.structure, kind: 'short', cell: ({ structure_id: structure }) => structure },
    { header: shared.changed, kind: 'time', cell: ({ updated_at: at }) => <Time at={at} /> },
  ],
  actions: [],
};

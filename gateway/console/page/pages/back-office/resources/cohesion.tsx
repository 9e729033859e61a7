import { Badge, Progress } from '@mantine/core';
import { answer, api, type paths } from '../../../lib/api.ts';
import { count } from '../../../lib/format.ts';
import { Active, activeField, money, yesOrNo } from '../../../parts/resource/cells.tsx';
import type { Field, Outcome, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';

type Structure = paths['/cohesion/structures']['get']['responses'][200]['content']['application/json']['data'][number];
type Indicator = paths['/cohesion/indicators']['get']['responses'][200]['content']['application/json']['data'][number];
type Financing = paths['/cohesion/financings']['get']['responses'][200]['content']['application/json']['data'][number];

const one = (id: number) => ({ params: { path: { id } } });

const structureTypes = ['ong', 'ministere', 'partenaire', 'collectivite', 'association'];

const structureFields = (structure: Structure | null): Field[] => [
  { name: 'nom', label: 'Name', kind: 'text', initial: structure?.nom },
  { name: 'sigle', label: 'Short name', kind: 'text', initial: structure?.sigle, optional: true, emptyIsNull: true },
  { name: 'type', label: 'Type', kind: 'choice', choices: structureTypes, initial: structure?.type ?? 'ong' },
  { name: 'region', label: 'Region', kind: 'text', initial: structure?.region, placeholder: 'Gbêkê' },
];

export const structures: Resource<Structure> = {
  name: 'structures',
  title: 'Structures',
  about: 'Organizations that carry out interventions and receive financings. The API shows partners the active ones alone.',
  empty: 'Make one.',
  load: async (query) => answer(api.GET('/cohesion/structures', { params: { query: query as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ nom }) => nom,
  columns: [
    { header: 'Name', cell: ({ nom }) => nom },
    { header: 'Short', width: 100, wide: true, cell: ({ sigle }) => sigle ?? '–' },
    { header: 'Type', width: 120, cell: ({ type }) => type },
    { header: 'Region', wide: true, width: 160, cell: ({ region }) => region },
    { header: 'State', width: 110, wide: true, cell: ({ active }) => <Active is={active} /> },
    { header: 'Id', width: 60, wide: true, cell: ({ id }) => id },
  ],
  create: {
    label: 'New structure',
    fields: () => structureFields(null),
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/structures', { body: values as never }));
      return { said: `${data.nom} is made.`, made: String(data.id) };
    },
  },
  actions: [
    {
      label: 'Change',
      fields: (structure) => [...structureFields(structure), activeField(structure.active)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/cohesion/structures/{id}', { ...one(id), body: values as never }));
        return { said: `${data.nom} is changed.` };
      },
    },
  ],
};

/** gap cohesion.indicator-alert-condition */
const thresholds = { under: 'below 50 % of its target', over: 'above 120 % of its target' };

function Alerted({ of: state }: { of: Indicator['alert_state'] }) {
  if (state === 'none') return <span>no</span>;
  return (
    <Badge size="sm" variant="light" color={state === 'under' ? 'red' : 'yellow'} tt="none" title={thresholds[state]}>
      {state}
    </Badge>
  );
}

/** An alert is sent when an indicator comes to be under or over, not while it stays so. */
function outcomeOf(before: Indicator, after: Indicator): Outcome {
  const said = `${after.code} is at ${count(after.valeur_courante)} ${after.unite}, ${after.taux_atteinte} % of its target`;
  const { alert_state: state } = after;
  if (state === 'none') return { said: `${said}${before.alert_state === 'none' ? '' : ', and in alert no more'}.`, causes: [] };
  if (state === before.alert_state) return { said: `${said}: still ${thresholds[state]}, as it was told before.`, causes: [] };
  return { said: `${said}: it crossed its alert threshold, and is ${thresholds[state]}.`, causes: ['indicator.alert'] };
}

export const indicators: Resource<Indicator> = {
  name: 'indicators',
  title: 'Indicators',
  about: 'Where an indicator comes to be below 50 % or above 120 % of its annual target, indicator.alert is sent.',
  empty: 'Make one, and set its value.',
  load: async (query) => answer(api.GET('/cohesion/indicators', { params: { query: query as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ code, intitule }) => `${code}: ${intitule}`,
  columns: [
    { header: 'Code', width: 90, cell: ({ code }) => code },
    { header: 'Title', cell: ({ intitule }) => intitule },
    {
      header: 'Value and target',
      width: 170,
      wide: true,
      cell: ({ valeur_courante: value, cible_annuelle: target }) => `${count(value)} of ${count(target)}`,
    },
    {
      header: 'Reached',
      width: 140,
      wide: true,
      cell: ({ taux_atteinte: rate, alert_state: state }) => (
        <Progress
          value={Math.min(100, rate)}
          color={state === 'none' ? 'teal' : state === 'under' ? 'red' : 'yellow'}
          aria-label={`${rate} % of the target`}
          title={`${rate} %`}
        />
      ),
    },
    { header: 'Alert', width: 80, cell: ({ alert_state: state }) => <Alerted of={state} /> },
    { header: 'State', width: 110, wide: true, cell: ({ active }) => <Active is={active} /> },
  ],
  facts: (row) => [
    ['Value', `${count(row.valeur_courante)} ${row.unite}`],
    ['Annual target', `${count(row.cible_annuelle)} ${row.unite}`],
    ['Reached', `${row.taux_atteinte} %`],
    ['Alert', row.alert_state === 'none' ? 'no' : thresholds[row.alert_state]],
    ['Type', row.type],
    ['Key indicator', yesOrNo(row.is_kpi)],
    ['State', <Active key="active" is={row.active} />],
    ['Changed', <Time key="changed" at={row.updated_at} />],
  ],
  create: {
    label: 'New indicator',
    fields: () => [
      { name: 'code', label: 'Code', kind: 'text', placeholder: 'IND-007', help: 'Must be new.' },
      { name: 'intitule', label: 'Title', kind: 'text' },
      { name: 'type', label: 'Type', kind: 'choice', choices: ['activite', 'resultat', 'impact'], initial: 'activite' },
      { name: 'unite', label: 'Unit', kind: 'text', placeholder: 'comités' },
      { name: 'cible_annuelle', label: 'Annual target', kind: 'number' },
      { name: 'is_kpi', label: 'Key performance indicator', kind: 'flag' },
    ],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/indicators', { body: values as never }));
      return { said: `${data.code} is made. It has no value yet.`, made: String(data.id) };
    },
  },
  actions: [
    {
      label: 'Set value',
      offered: ({ active }) => active,
      fields: ({ valeur_courante: value, cible_annuelle: target, unite }) => [
        {
          name: 'valeur_courante',
          label: `Value, in ${unite}`,
          kind: 'number',
          initial: value,
          help: `The target is ${count(target)}: alert below ${count(target * 0.5)} and above ${count(target * 1.2)}.`,
        },
      ],
      async run(before, values) {
        const { data } = await answer(api.PUT('/cohesion/indicators/{id}/value', { ...one(before.id), body: values as never }));
        return outcomeOf(before, data);
      },
    },
    ...[true, false].map((active) => ({
      label: active ? 'Activate' : 'Deactivate',
      offered: (row: Indicator) => row.active !== active,
      async run({ id, code }: Indicator) {
        await answer(api.PATCH('/cohesion/indicators/{id}', { ...one(id), body: { active } }));
        return { said: `${code} is ${active ? 'active' : 'not active any more: the API does not list it'}.` };
      },
    })),
  ],
};

export const financings: Resource<Financing> = {
  name: 'financings',
  title: 'Financings',
  about: 'External financings, as partners wrote them through the social-cohesion API (POST and PUT /financements).',
  empty: 'A financing is made with POST /cohesion/api/v1/financements.',
  filters: [{ name: 'structure_id', label: 'Structure', kind: 'text', placeholder: '4', width: 90 }],
  load: async (query) => answer(api.GET('/cohesion/financings', { params: { query: query as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ intitule }) => intitule,
  columns: [
    { header: 'Title', cell: ({ intitule }) => intitule },
    { header: 'Amount', width: 160, cell: ({ montant, devise }) => money(montant, devise) },
    { header: 'From', wide: true, width: 180, cell: ({ bailleur }) => bailleur },
    { header: 'Type', wide: true, width: 110, cell: ({ type }) => type },
    { header: 'State', width: 100, wide: true, cell: ({ statut }) => statut },
    { header: 'Year', wide: true, width: 70, cell: ({ exercice }) => exercice },
    { header: 'Structure', wide: true, width: 90, cell: ({ structure_id: structure }) => structure },
    { header: 'Changed', wide: true, width: 170, cell: ({ updated_at: at }) => <Time at={at} /> },
  ],
  actions: [],
};

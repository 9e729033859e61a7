import { Badge, Progress } from '@mantine/core';
import { answer, api, type paths } from '../../../lib/api.ts';
import { count } from '../../../lib/format.ts';
import { Active, activeField, money, yesOrNo } from '../../../parts/resource/cells.tsx';
import type { ActionResult, Field, Resource } from '../../../parts/resource/resource.ts';
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
  description: 'Organizations that carry out interventions and receive financings. The API lists only active ones.',
  empty: 'Create a structure.',
  load: async (query) => answer(api.GET('/cohesion/structures', { params: { query: query as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ nom }) => nom,
  columns: [
    { header: 'Name', cell: ({ nom }) => nom },
    { header: 'Short', width: 100, cell: ({ sigle }) => sigle ?? '–' },
    { header: 'Type', width: 120, cell: ({ type }) => type },
    { header: 'Region', width: 160, cell: ({ region }) => region },
    { header: 'State', width: 110, cell: ({ active }) => <Active is={active} /> },
    { header: 'Id', width: 60, cell: ({ id }) => id },
  ],
  create: {
    label: 'New structure',
    fields: () => structureFields(null),
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/structures', { body: values as never }));
      return { message: `${data.nom} was created.`, createdId: String(data.id) };
    },
  },
  actions: [
    {
      label: 'Edit',
      fields: (structure) => [...structureFields(structure), activeField(structure.active)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/cohesion/structures/{id}', { ...one(id), body: values as never }));
        return { message: `${data.nom} was changed.` };
      },
    },
  ],
};

/** gap cohesion.indicator-alert-condition */
const thresholds = { under: 'below 50 % of its target', over: 'above 120 % of its target' };

function AlertBadge({ of: state }: { of: Indicator['alert_state'] }) {
  if (state === 'none') return <span>no</span>;
  return (
    <Badge size="sm" variant="light" color={state === 'under' ? 'red' : 'yellow'} tt="none" title={thresholds[state]}>
      {state}
    </Badge>
  );
}

/** The event is sent when an indicator crosses a threshold, not while it stays beyond it. */
function resultOf(before: Indicator, after: Indicator): ActionResult {
  const text = `${after.code} is at ${count(after.valeur_courante)} ${after.unite}, ${after.taux_atteinte} % of its target`;
  const { alert_state: state } = after;
  if (state === 'none')
    return { message: `${text}${before.alert_state === 'none' ? '' : ', and no longer in alert'}.`, events: [] };
  if (state === before.alert_state) return { message: `${text}: still ${thresholds[state]}, so no new alert.`, events: [] };
  return { message: `${text}: it crossed its alert threshold and is ${thresholds[state]}.`, events: ['indicator.alert'] };
}

export const indicators: Resource<Indicator> = {
  name: 'indicators',
  title: 'Indicators',
  description: 'indicator.alert is sent when an indicator falls below 50 % or rises above 120 % of its annual target.',
  empty: 'Create an indicator and set its value.',
  load: async (query) => answer(api.GET('/cohesion/indicators', { params: { query: query as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ code, intitule }) => `${code}: ${intitule}`,
  columns: [
    { header: 'Code', width: 90, cell: ({ code }) => code },
    { header: 'Title', cell: ({ intitule }) => intitule },
    {
      header: 'Value and target',
      width: 170,
      cell: ({ valeur_courante: value, cible_annuelle: target }) => `${count(value)} of ${count(target)}`,
    },
    {
      header: 'Reached',
      width: 140,
      cell: ({ taux_atteinte: rate, alert_state: state }) => (
        <Progress
          value={Math.min(100, rate)}
          color={state === 'none' ? 'teal' : state === 'under' ? 'red' : 'yellow'}
          aria-label={`${rate} % of the target`}
          title={`${rate} %`}
        />
      ),
    },
    { header: 'Alert', width: 80, cell: ({ alert_state: state }) => <AlertBadge of={state} /> },
    { header: 'State', width: 110, cell: ({ active }) => <Active is={active} /> },
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
      { name: 'code', label: 'Code', kind: 'text', placeholder: 'IND-007', help: 'Must be unique.' },
      { name: 'intitule', label: 'Title', kind: 'text' },
      { name: 'type', label: 'Type', kind: 'choice', choices: ['activite', 'resultat', 'impact'], initial: 'activite' },
      { name: 'unite', label: 'Unit', kind: 'text', placeholder: 'comités' },
      { name: 'cible_annuelle', label: 'Annual target', kind: 'number' },
      { name: 'is_kpi', label: 'Key performance indicator', kind: 'flag' },
    ],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/indicators', { body: values as never }));
      return { message: `${data.code} was created. It has no value yet.`, createdId: String(data.id) };
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
        return resultOf(before, data);
      },
    },
    ...[true, false].map((active) => ({
      label: active ? 'Activate' : 'Deactivate',
      offered: (row: Indicator) => row.active !== active,
      async run({ id, code }: Indicator) {
        await answer(api.PATCH('/cohesion/indicators/{id}', { ...one(id), body: { active } }));
        return { message: `${code} is ${active ? 'active' : 'no longer active. The API does not list it'}.` };
      },
    })),
  ],
};

export const financings: Resource<Financing> = {
  name: 'financings',
  title: 'Financings',
  description: 'External financings that partners sent to the social-cohesion API (POST and PUT /financements).',
  empty: 'Financings are created with POST /cohesion/api/v1/financements.',
  filters: [{ name: 'structure_id', label: 'Structure', kind: 'text', placeholder: '4', width: 90 }],
  load: async (query) => answer(api.GET('/cohesion/financings', { params: { query: query as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ intitule }) => intitule,
  columns: [
    { header: 'Title', cell: ({ intitule }) => intitule },
    { header: 'Amount', width: 160, cell: ({ montant, devise }) => money(montant, devise) },
    { header: 'Funder', width: 180, cell: ({ bailleur }) => bailleur },
    { header: 'Type', width: 110, cell: ({ type }) => type },
    { header: 'State', width: 100, cell: ({ statut }) => statut },
    { header: 'Year', width: 70, cell: ({ exercice }) => exercice },
    { header: 'Structure', width: 90, cell: ({ structure_id: structure }) => structure },
    { header: 'Changed', width: 170, cell: ({ updated_at: at }) => <Time at={at} /> },
  ],
  actions: [],
};

import { answer, api, type paths } from '../../../lib/api.ts';
import { money } from '../../../parts/resource/cells.tsx';
import type { Action, Field, Outcome, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';

type Intervention = paths['/cohesion/interventions']['get']['responses'][200]['content']['application/json']['data'][number];
type Move = Intervention['legal_moves'][number];

const one = (id: string | number) => ({ params: { path: { id: Number(id) } } });

interface MoveInfo {
  label: string;
  event?: string;
  fields?: readonly Field[];
  move(id: number, values: unknown): Promise<{ data: Intervention }>;
}

const moves: Record<Move, MoveInfo> = {
  publish: { label: 'Publish', move: (id) => answer(api.POST('/cohesion/interventions/{id}/publish', one(id))) },
  suspend: {
    label: 'Suspend',
    event: 'intervention.suspended',
    move: (id) => answer(api.POST('/cohesion/interventions/{id}/suspend', one(id))),
  },
  resume: { label: 'Resume', move: (id) => answer(api.POST('/cohesion/interventions/{id}/resume', one(id))) },
  terminate: {
    label: 'Terminate',
    event: 'intervention.terminated',
    move: (id) => answer(api.POST('/cohesion/interventions/{id}/terminate', one(id))),
  },
  validate: {
    label: 'Validate',
    event: 'intervention.validated',
    fields: [
      {
        name: 'validated_by',
        label: 'In the name of',
        kind: 'number',
        optional: true,
        help: 'The id of an active user. Empty: the first active administrator.',
      },
    ],
    move: (id, values) => answer(api.POST('/cohesion/interventions/{id}/validate', { ...one(id), body: values as never })),
  },
};

/** A move is offered where it is legal as the row stands; the API refuses one that is legal no more, and says what is. */
const actionOf = ([name, { label, event, fields, move }]: [string, MoveInfo]): Action<Intervention> => ({
  label,
  offered: ({ legal_moves: legal }) => legal.includes(name as Move),
  ...(fields ? { fields: () => fields } : {}),
  async run({ id }, values): Promise<Outcome> {
    const { data } = await move(id, values);
    return { said: `${data.reference} is ${data.statut} now.`, causes: event === undefined ? [] : [event] };
  },
});

const statuses = ['brouillon', 'en_cours', 'suspendu', 'termine', 'approuve'];

const fields: Field[] = [
  { name: 'reference', label: 'Reference', kind: 'text', placeholder: 'INT-2026-0031', help: 'Must be new.' },
  { name: 'intitule', label: 'Title', kind: 'text', placeholder: 'Dialogue intercommunautaire à Bouaké' },
  { name: 'structure_id', label: 'Structure', kind: 'number', help: 'The id of the structure that carries it out.' },
  { name: 'region', label: 'Region', kind: 'text', optional: true, help: "Empty: the structure's own." },
  { name: 'annee', label: 'Year', kind: 'number', initial: new Date().getFullYear() },
  { name: 'date_debut', label: 'First day', kind: 'date', optional: true },
  { name: 'date_fin', label: 'Last day', kind: 'date', optional: true },
  { name: 'budget', label: 'Budget, in XOF', kind: 'number', optional: true },
];

export const interventions: Resource<Intervention> = {
  name: 'interventions',
  title: 'Interventions',
  about:
    'From a draft to what is done and approved. Drafts (brouillon) are shown to no partner. Moves that partners hear of send an event.',
  empty: 'Draft one.',
  filters: [
    {
      name: 'statut',
      label: 'State',
      kind: 'choice',
      choices: statuses.map((value) => ({ value, label: value.replace('_', ' ') })),
    },
  ],
  load: async (query) => answer(api.GET('/cohesion/interventions', { params: { query: query as never } })),
  read: async (id) => (await answer(api.GET('/cohesion/interventions/{id}', one(id)))).data,
  idOf: ({ id }) => String(id),
  titleOf: ({ reference, intitule }) => `${reference}: ${intitule}`,
  columns: [
    { header: 'Reference', width: 140, cell: ({ reference }) => reference },
    { header: 'Title', cell: ({ intitule }) => intitule },
    { header: 'State', width: 100, cell: ({ statut }) => statut.replace('_', ' ') },
    { header: 'Can', width: 200, wide: true, cell: ({ legal_moves: legal }) => legal.join(', ') || 'nothing more' },
    { header: 'Region', width: 120, wide: true, cell: ({ region }) => region },
    { header: 'Changed', width: 170, wide: true, cell: ({ updated_at: at }) => <Time at={at} /> },
  ],
  facts: (row) => [
    ['State', row.statut.replace('_', ' ')],
    ['What is legal now', row.legal_moves.join(', ') || 'nothing leads on from here'],
    ['Structure', row.structure_id],
    ['Region', row.region],
    ['Year', row.annee],
    ['First day', row.date_debut ?? '–'],
    ['Last day', row.date_fin ?? '–'],
    ['Budget', money(row.budget)],
    ['Validated by user', row.validated_by ?? '–'],
    ['Made', <Time key="made" at={row.created_at} />],
    ['Changed', <Time key="changed" at={row.updated_at} />],
  ],
  create: {
    label: 'New draft',
    fields: () => fields,
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/interventions', { body: values as never }));
      return { said: `${data.reference} is drafted.`, made: String(data.id) };
    },
  },
  actions: Object.entries(moves).map(actionOf),
};

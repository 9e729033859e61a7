import { answer, api, type paths } from '../../../lib/api.ts';
import { money } from '../../../parts/resource/cells.tsx';
import type { Action, ActionResult, Field, Resource } from '../../../parts/resource/resource.ts';
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
        label: 'Validated by',
        kind: 'number',
        optional: true,
        help: 'The id of an active user. Empty: the first active administrator.',
      },
    ],
    move: (id, values) => answer(api.POST('/cohesion/interventions/{id}/validate', { ...one(id), body: values as never })),
  },
};

/** Offers a move only if it is legal for the row. The API refuses a move that is no longer legal. */
const actionOf = ([name, { label, event, fields, move }]: [string, MoveInfo]): Action<Intervention> => ({
  label,
  offered: ({ legal_moves: legal }) => legal.includes(name as Move),
  ...(fields ? { fields: () => fields } : {}),
  async run({ id }, values): Promise<ActionResult> {
    const { data } = await move(id, values);
    return { message: `${data.reference} is now ${data.statut}.`, events: event === undefined ? [] : [event] };
  },
});

const statuses = ['brouillon', 'en_cours', 'suspendu', 'termine', 'approuve'];

const fields: Field[] = [
  { name: 'reference', label: 'Reference', kind: 'text', placeholder: 'INT-2026-0031', help: 'Must be unique.' },
  { name: 'intitule', label: 'Title', kind: 'text', placeholder: 'Dialogue intercommunautaire à Bouaké' },
  { name: 'structure_id', label: 'Structure', kind: 'number', help: 'The id of the structure that carries it out.' },
  { name: 'region', label: 'Region', kind: 'text', optional: true, help: "Empty: the structure's region." },
  { name: 'annee', label: 'Year', kind: 'number', initial: new Date().getFullYear() },
  { name: 'date_debut', label: 'First day', kind: 'date', optional: true },
  { name: 'date_fin', label: 'Last day', kind: 'date', optional: true },
  { name: 'budget', label: 'Budget, in XOF', kind: 'number', optional: true },
];

export const interventions: Resource<Intervention> = {
  name: 'interventions',
  title: 'Interventions',
  description: 'Interventions go from draft to approved. Partners cannot see drafts (brouillon). Some moves send an event.',
  empty: 'Create a draft.',
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
    { header: 'Next moves', width: 200, cell: ({ legal_moves: legal }) => legal.join(', ') || 'none' },
    { header: 'Region', width: 120, cell: ({ region }) => region },
    { header: 'Changed', width: 170, cell: ({ updated_at: at }) => <Time at={at} /> },
  ],
  facts: (row) => [
    ['State', row.statut.replace('_', ' ')],
    ['Next moves', row.legal_moves.join(', ') || 'none'],
    ['Structure', row.structure_id],
    ['Region', row.region],
    ['Year', row.annee],
    ['First day', row.date_debut ?? '–'],
    ['Last day', row.date_fin ?? '–'],
    ['Budget', money(row.budget)],
    ['Validated by user', row.validated_by ?? '–'],
    ['Created', <Time key="created" at={row.created_at} />],
    ['Changed', <Time key="changed" at={row.updated_at} />],
  ],
  create: {
    label: 'New draft',
    fields: () => fields,
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/interventions', { body: values as never }));
      return { message: `The draft ${data.reference} was created.`, createdId: String(data.id) };
    },
  },
  actions: Object.entries(moves).map(actionOf),
};

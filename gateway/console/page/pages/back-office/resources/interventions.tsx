import { answer, api, type BodyOf, dataOf, type paths, type QueryOf } from '../../../lib/api.ts';
import { money } from '../../../parts/resource/cells.tsx';
import type { Action, ActionResult, Field, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';
import { text } from '../../../texts/index.ts';

type NewIntervention = BodyOf<paths['/cohesion/interventions']['post']>;
type Intervention = paths['/cohesion/interventions']['get']['responses'][200]['content']['application/json']['data'][number];
type Move = Intervention['legal_moves'][number];

const { shared, sections, interventions: words } = text.backOffice;

const one = (id: string | number) => ({ params: { path: { id: Number(id) } } });

interface MoveInfo {
  event?: string;
  fields?: readonly Field[];
  move(id: number, values: unknown): Promise<{ data: Intervention }>;
}

const moves: Record<Move, MoveInfo> = {
  publish: { move: (id) => answer(api.POST('/cohesion/interventions/{id}/publish', one(id))) },
  suspend: {
    event: 'intervention.suspended',
    move: (id) => answer(api.POST('/cohesion/interventions/{id}/suspend', one(id))),
  },
  resume: { move: (id) => answer(api.POST('/cohesion/interventions/{id}/resume', one(id))) },
  terminate: {
    event: 'intervention.terminated',
    move: (id) => answer(api.POST('/cohesion/interventions/{id}/terminate', one(id))),
  },
  validate: {
    event: 'intervention.validated',
    fields: [
      {
        name: 'validated_by',
        label: words.validatedBy,
        kind: 'number',
        optional: true,
        help: words.validatedByHelp,
      },
    ],
    move: (id, values: BodyOf<paths['/cohesion/interventions/{id}/validate']['post']>) =>
      answer(api.POST('/cohesion/interventions/{id}/validate', { ...one(id), body: values })),
  },
};

/** Offers a move only if it is legal for the row. The API refuses a move that is no longer legal. */
const actionOf = ([name, { event, fields, move }]: [string, MoveInfo]): Action<Intervention> => ({
  label: words.moves[name as Move],
  offered: ({ legal_moves: legal }) => legal.includes(name as Move),
  ...(fields ? { fields: () => fields } : {}),
  async run({ id }, values): Promise<ActionResult> {
    const { data } = await move(id, values);
    return { message: words.moved(data.reference, data.statut), events: event === undefined ? [] : [event] };
  },
});

const nextMoves = ({ legal_moves: legal }: Intervention) =>
  legal.map((move) => words.moves[move].toLowerCase()).join(', ') || shared.none;

const statuses = ['brouillon', 'en_cours', 'suspendu', 'termine', 'approuve'];

const fields: Field<keyof NewIntervention>[] = [
  { name: 'reference', label: words.reference, kind: 'text', placeholder: 'INT-2026-0031', help: words.referenceHelp },
  { name: 'intitule', label: shared.heading, kind: 'text', placeholder: 'Dialogue intercommunautaire à Bouaké' },
  { name: 'structure_id', label: shared.structure, kind: 'number', help: words.structureHelp },
  { name: 'region', label: shared.region, kind: 'text', optional: true, help: words.regionHelp },
  { name: 'annee', label: shared.year, kind: 'number', initial: new Date().getFullYear() },
  { name: 'date_debut', label: words.firstDay, kind: 'date', optional: true },
  { name: 'date_fin', label: words.lastDay, kind: 'date', optional: true },
  { name: 'budget', label: words.budgetIn('XOF'), kind: 'number', optional: true },
];

export const interventions: Resource<Intervention> = {
  name: 'interventions',
  title: sections.interventions,
  description: words.description,
  empty: words.empty,
  filters: [
    {
      name: 'statut',
      label: shared.state,
      kind: 'choice',
      choices: statuses.map((value) => ({ value, label: value.replace('_', ' ') })),
    },
  ],
  load: async (query: QueryOf<paths['/cohesion/interventions']['get']>) =>
    answer(api.GET('/cohesion/interventions', { params: { query } })),
  read: (id) => dataOf(api.GET('/cohesion/interventions/{id}', one(id))),
  idOf: ({ id }) => String(id),
  titleOf: ({ reference, intitule }) => shared.titled(reference, intitule),
  columns: [
    { header: words.reference, kind: 'name', cell: ({ reference }) => reference },
    { header: shared.heading, cell: ({ intitule }) => intitule },
    { header: shared.state, kind: 'short', cell: ({ statut }) => statut.replace('_', ' ') },
    { header: words.nextMoves, kind: 'name', cell: nextMoves },
    { header: shared.region, kind: 'short', cell: ({ region }) => region },
    { header: shared.changed, kind: 'time', cell: ({ updated_at: at }) => <Time at={at} /> },
  ],
  facts: (row) => [
    [shared.state, row.statut.replace('_', ' ')],
    [words.nextMoves, nextMoves(row)],
    [shared.structure, row.structure_id],
    [shared.region, row.region],
    [shared.year, row.annee],
    [words.firstDay, row.date_debut ?? '–'],
    [words.lastDay, row.date_fin ?? '–'],
    [words.budget, money(row.budget)],
    [words.validatedByUser, row.validated_by ?? '–'],
    [shared.created, <Time key="created" at={row.created_at} />],
    [shared.changed, <Time key="changed" at={row.updated_at} />],
  ],
  create: {
    label: words.create,
    fields: () => fields,
    async run(_, values: NewIntervention) {
      const { data } = await answer(api.POST('/cohesion/interventions', { body: values }));
      return { message: words.created(data.reference), createdId: String(data.id) };
    },
  },
  actions: Object.entries(moves).map(actionOf),
};

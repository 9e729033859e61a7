import { answer, api, type paths } from '../../../lib/api.ts';
import { count } from '../../../lib/format.ts';
import { Code } from '../../../parts/code.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';

type Plan = paths['/cohesion/plans']['get']['responses'][200]['content']['application/json']['data'][number];
type ReportSummary = paths['/cohesion/reports']['get']['responses'][200]['content']['application/json']['data'][number];
type Report = paths['/cohesion/reports/{id}']['get']['responses'][200]['content']['application/json']['data'];

const year: Field = { name: 'annee', label: 'Year', kind: 'number', initial: new Date().getFullYear() };

export const plans: Resource<Plan> = {
  name: 'plans',
  title: 'Annual plans',
  description: 'One plan per year. A closed plan cannot be opened again. Closing sends plan.closed.',
  empty: 'Open a plan.',
  load: async (query) => answer(api.GET('/cohesion/plans', { params: { query: query as never } })),
  idOf: ({ annee }) => String(annee),
  titleOf: ({ annee }) => `Plan ${annee}`,
  columns: [
    { header: 'Year', cell: ({ annee }) => annee },
    { header: 'State', cell: ({ statut }) => statut },
    { header: 'Opened', cell: ({ created_at: at }) => <Time at={at} /> },
    { header: 'Closed', cell: ({ closed_at: at }) => <Time at={at} none="not yet" /> },
  ],
  create: {
    label: 'Open a plan',
    fields: () => [year],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/plans', { body: values as never }));
      return { message: `The plan for ${data.annee} is open.`, createdId: String(data.annee) };
    },
  },
  actions: [
    {
      label: 'Close the plan',
      offered: ({ closed_at: at }) => at === null,
      consequences: ['plan.closed is sent to every endpoint that subscribes to it.', 'The plan cannot be opened again.'],
      async run({ annee }) {
        await answer(api.POST('/cohesion/plans/{annee}/close', { params: { path: { annee } } }));
        return { message: `The plan for ${annee} is closed.`, events: ['plan.closed'] };
      },
    },
  ],
};

/** The content of a report that was read. Reports in the list have none. */
const contentOf = (report: ReportSummary | Report) => ('content' in report ? report.content : undefined);

export const reports: Resource<ReportSummary | Report> = {
  name: 'reports',
  title: 'Reports',
  description: "A year's statistics at the time of the report. Creating a report sends rapport.ready.",
  empty: 'Create a report.',
  load: async (query) => answer(api.GET('/cohesion/reports', { params: { query: query as never } })),
  read: async (id) => (await answer(api.GET('/cohesion/reports/{id}', { params: { path: { id: Number(id) } } }))).data,
  idOf: ({ id }) => String(id),
  titleOf: ({ titre }) => titre,
  columns: [
    { header: 'Title', cell: ({ titre }) => titre },
    { header: 'Year', width: 80, cell: ({ annee }) => annee },
    { header: 'Format', width: 90, cell: ({ format }) => format },
    { header: 'Created', width: 160, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: (report) => {
    const content = contentOf(report);
    return [
      ['Year', report.annee],
      ['Created', <Time key="at" at={report.created_at} />],
      ...(content === undefined
        ? []
        : ([
            ['Interventions', count(content.interventions.total)],
            ['Indicators', `${count(content.indicateurs.total)}, ${count(content.indicateurs.en_alerte)} in alert`],
            ['Average attainment', `${content.indicateurs.taux_atteinte_moyen} %`],
            ['Structures', count(content.structures.total)],
            ['Financings', count(content.financements.total)],
          ] as const)),
    ];
  },
  content: (report) => {
    const content = contentOf(report);
    return content && <Code title="Content" text={JSON.stringify(content)} />;
  },
  create: {
    label: 'Create report',
    fields: () => [year, { name: 'titre', label: 'Title', kind: 'text', optional: true, placeholder: 'Rapport annuel' }],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/reports', { body: values as never }));
      return { message: `${data.titre} was created.`, events: ['rapport.ready'], createdId: String(data.id) };
    },
  },
  actions: [],
};

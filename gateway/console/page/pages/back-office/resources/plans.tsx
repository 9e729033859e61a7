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
  about: 'One plan a year. Closing it is for good, and sends plan.closed.',
  empty: 'Open one.',
  load: async (query) => answer(api.GET('/cohesion/plans', { params: { query: query as never } })),
  idOf: ({ annee }) => String(annee),
  titleOf: ({ annee }) => `Plan ${annee}`,
  columns: [
    { header: 'Year', cell: ({ annee }) => annee },
    { header: 'State', cell: ({ statut }) => statut },
    { header: 'Opened', wide: true, cell: ({ created_at: at }) => <Time at={at} /> },
    { header: 'Closed', wide: true, cell: ({ closed_at: at }) => <Time at={at} none="not yet" /> },
  ],
  create: {
    label: 'Open a plan',
    fields: () => [year],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/plans', { body: values as never }));
      return { said: `The plan of ${data.annee} is open.`, made: String(data.annee) };
    },
  },
  actions: [
    {
      label: 'Close the plan',
      offered: ({ closed_at: at }) => at === null,
      consequences: ['plan.closed is sent to every endpoint that wants it.', 'It cannot be opened again.'],
      async run({ annee }) {
        await answer(api.POST('/cohesion/plans/{annee}/close', { params: { path: { annee } } }));
        return { said: `The plan of ${annee} is closed.`, causes: ['plan.closed'] };
      },
    },
  ],
};

/** A list has no content; one that was read has. */
const contentOf = (report: ReportSummary | Report) => ('content' in report ? report.content : undefined);

export const reports: Resource<ReportSummary | Report> = {
  name: 'reports',
  title: 'Reports',
  about: "A year's statistics as they are when the report is produced, which sends rapport.ready.",
  empty: 'Produce one.',
  load: async (query) => answer(api.GET('/cohesion/reports', { params: { query: query as never } })),
  read: async (id) => (await answer(api.GET('/cohesion/reports/{id}', { params: { path: { id: Number(id) } } }))).data,
  idOf: ({ id }) => String(id),
  titleOf: ({ titre }) => titre,
  columns: [
    { header: 'Title', cell: ({ titre }) => titre },
    { header: 'Year', width: 80, cell: ({ annee }) => annee },
    { header: 'Format', width: 90, wide: true, cell: ({ format }) => format },
    { header: 'Produced', width: 160, wide: true, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: (report) => {
    const content = contentOf(report);
    return [
      ['Year', report.annee],
      ['Produced', <Time key="at" at={report.created_at} />],
      ...(content === undefined
        ? []
        : ([
            ['Interventions', count(content.interventions.total)],
            ['Indicators', `${count(content.indicateurs.total)}, ${count(content.indicateurs.en_alerte)} in alert`],
            ['Mean attainment', `${content.indicateurs.taux_atteinte_moyen} %`],
            ['Structures', count(content.structures.total)],
            ['Financings', count(content.financements.total)],
          ] as const)),
    ];
  },
  content: (report) => {
    const content = contentOf(report);
    return content && <Code title="As produced" text={JSON.stringify(content)} />;
  },
  create: {
    label: 'Produce a report',
    fields: () => [year, { name: 'titre', label: 'Title', kind: 'text', optional: true, placeholder: 'Rapport annuel' }],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/reports', { body: values as never }));
      return { said: `${data.titre} is produced.`, causes: ['rapport.ready'], made: String(data.id) };
    },
  },
  actions: [],
};

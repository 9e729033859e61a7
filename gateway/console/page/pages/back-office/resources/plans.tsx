import { answer, api, type BodyOf, dataOf, type paths, type QueryOf } from '../../../lib/api.ts';
import { count } from '../../../lib/format.ts';
import { Code } from '../../../parts/code.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';
import { text } from '../../../texts/index.ts';

type Plan = paths['/cohesion/plans']['get']['responses'][200]['content']['application/json']['data'][number];
type ReportSummary = paths['/cohesion/reports']['get']['responses'][200]['content']['application/json']['data'][number];
type Report = paths['/cohesion/reports/{id}']['get']['responses'][200]['content']['application/json']['data'];

const { shared, plans: words, reports: reportWords } = text.backOffice;

const year: Field = { name: 'annee', label: shared.year, kind: 'number', initial: new Date().getFullYear() };

export const plans: Resource<Plan> = {
  name: 'plans',
  title: words.title,
  description: words.description,
  empty: words.empty,
  load: async (query: QueryOf<paths['/cohesion/plans']['get']>) => answer(api.GET('/cohesion/plans', { params: { query } })),
  idOf: ({ annee }) => String(annee),
  titleOf: ({ annee }) => words.plan(annee),
  columns: [
    { header: shared.year, cell: ({ annee }) => annee },
    { header: shared.state, cell: ({ statut }) => words.status[statut] },
    { header: words.opened, cell: ({ created_at: at }) => <Time at={at} /> },
    { header: words.closed, cell: ({ closed_at: at }) => <Time at={at} none={shared.notYet} /> },
  ],
  create: {
    label: words.open,
    fields: () => [year],
    async run(_, values: BodyOf<paths['/cohesion/plans']['post']>) {
      const { data } = await answer(api.POST('/cohesion/plans', { body: values }));
      return { message: words.isOpen(data.annee), createdId: String(data.annee) };
    },
  },
  actions: [
    {
      label: words.close,
      offered: ({ closed_at: at }) => at === null,
      consequences: words.closing,
      async run({ annee }) {
        await answer(api.POST('/cohesion/plans/{annee}/close', { params: { path: { annee } } }));
        return { message: words.isClosed(annee), events: ['plan.closed'] };
      },
    },
  ],
};

/** The content of a report that was read. Reports in the list have none. */
const contentOf = (report: ReportSummary | Report) => ('content' in report ? report.content : undefined);

export const reports: Resource<ReportSummary | Report> = {
  name: 'reports',
  title: reportWords.title,
  description: reportWords.description,
  empty: reportWords.empty,
  load: async (query: QueryOf<paths['/cohesion/reports']['get']>) => answer(api.GET('/cohesion/reports', { params: { query } })),
  read: (id) => dataOf(api.GET('/cohesion/reports/{id}', { params: { path: { id: Number(id) } } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ titre }) => titre,
  columns: [
    { header: shared.heading, cell: ({ titre }) => titre },
    { header: shared.year, kind: 'short', cell: ({ annee }) => annee },
    { header: reportWords.format, kind: 'short', cell: ({ format }) => format },
    { header: shared.created, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: (report) => {
    const content = contentOf(report);
    return [
      [shared.year, report.annee],
      [shared.created, <Time key="at" at={report.created_at} />],
      ...(content === undefined
        ? []
        : ([
            [reportWords.interventions, count(content.interventions.total)],
            [reportWords.indicators, reportWords.inAlert(content.indicateurs.total, content.indicateurs.en_alerte)],
            [reportWords.attainment, `${content.indicateurs.taux_atteinte_moyen} %`],
            [reportWords.structures, count(content.structures.total)],
            [reportWords.financings, count(content.financements.total)],
          ] as const)),
    ];
  },
  content: (report) => {
    const content = contentOf(report);
    return content && <Code title={reportWords.content} text={JSON.stringify(content)} />;
  },
  create: {
    label: reportWords.create,
    fields: () => [year, { name: 'titre', label: shared.heading, kind: 'text', optional: true, placeholder: 'Rapport annuel' }],
    async run(_, values: BodyOf<paths['/cohesion/reports']['post']>) {
      const { data } = await answer(api.POST('/cohesion/reports', { body: values }));
      return { message: shared.wasCreated(data.titre), events: ['rapport.ready'], createdId: String(data.id) };
    },
  },
  actions: [],
};

import { answer, api, type BodyOf, dataOf, type paths } from '../../lib/api.ts';
import type { Action, Field, Resource } from '../../parts/resource/resource.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { Progress } from './progress.tsx';

export type Erasure = paths['/erasures']['get']['responses'][200]['content']['application/json']['data'][number];
type Body = BodyOf<paths['/erasures']['post']>;

const words = text.erasures;

const number: Field = {
  name: 'number',
  label: words.fields.number,
  help: words.fields.numberHelp,
  kind: 'text',
  placeholder: '+2250700000000',
};
const asked: readonly Field[] = [
  { ...number, optional: true },
  { name: 'event_ids', label: words.fields.events, help: words.fields.eventsHelp, kind: 'list', optional: true },
  { name: 'subject', label: words.fields.subject, help: words.fields.subjectHelp, kind: 'text', optional: true, isMore: true },
];

export function targetText({ target }: Erasure): string {
  if (target.by === 'number') return words.target.number(target.ends_with);
  return target.by === 'subject' ? words.target.subject(target.subject) : words.target.events(target.event_ids.length);
}

async function begin(body: Body) {
  const { data } = await answer(api.POST('/erasures', { body }));
  return { message: data.dry_run ? words.counting : words.begun, createdId: data.id };
}

/** The gateway does not keep the number, so that it is asked for again. */
const eraseNow = (by: Erasure['target']['by']): Action<Erasure> => ({
  label: words.erase,
  offered: ({ dry_run, status, target }) => dry_run && status === 'done' && target.by === by,
  ...(by === 'number' ? { fields: () => [{ ...number, help: words.fields.numberAgain }] } : { consequences: words.consequences }),
  run: ({ target }, values) => {
    const { by: _, ...named } = target;
    return begin({ ...(by === 'number' ? (values as Body) : named), dry_run: false });
  },
});

export const erasures: Resource<Erasure> = {
  name: 'erasures',
  title: words.list,
  description: words.description,
  empty: words.empty,
  load: async (query) => answer(api.GET('/erasures', { params: { query } })),
  read: (id) => dataOf(api.GET('/erasures/{id}', { params: { path: { id } } })),
  idOf: ({ id }) => id,
  titleOf: targetText,
  columns: [
    { header: words.columns.target, cell: targetText },
    { header: words.columns.kind, cell: ({ dry_run }) => words.kind(dry_run) },
    { header: words.columns.state, kind: 'status', cell: ({ status }) => <Status of={status} /> },
    { header: words.columns.begun, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: ({ id, dry_run, created_at: at }) => [
    [words.columns.kind, words.kind(dry_run)],
    [words.columns.begun, <Time key="begun" at={at} />],
    [
      words.columns.id,
      <span key="id" className="mono">
        {id}
      </span>,
    ],
  ],
  content: ({ id }) => <Progress id={id} />,
  create: { label: words.create, fields: () => asked, run: (_, values) => begin({ ...(values as Body), dry_run: true }) },
  actions: [eraseNow('number'), eraseNow('subject'), eraseNow('events')],
};

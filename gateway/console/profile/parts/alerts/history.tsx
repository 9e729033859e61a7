import { PageLink } from '../../../page/parts/page-link.tsx';
import type { Resource } from '../../../page/parts/resource/resource.ts';
import { SentMessages, SentState } from '../../../page/parts/sent-messages.tsx';
import { Status } from '../../../page/parts/status.tsx';
import { Time } from '../../../page/parts/time.tsx';
import { answer, type paths, profile, type QueryOf } from '../../lib/api.ts';
import { text } from '../../texts/index.ts';

type Told = paths['/alerts/messages']['get']['responses'][200]['content']['application/json']['data'][number];

const { history: texts, sent: sentTexts } = text.alerts;

const names: Readonly<Record<string, string>> = texts.names;
/** Only endpoints are a partner's own. */
const nameOf = (alert: Told['alert']) => names[alert] ?? alert;

/** In the language of the messages, which may be another than the page's. */
const Message = ({ of: { message, language } }: { of: Pick<Told, 'message' | 'language'> }) => (
  <span lang={language}>{message}</span>
);

/** What the partner was told, newest first. */
export const history: Resource<Told> = {
  name: 'alert messages',
  title: sentTexts.title,
  description: texts.description,
  empty: texts.empty,
  load: async (query: QueryOf<paths['/alerts/messages']['get']>) =>
    answer(profile.GET('/alerts/messages', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: ({ alert }) => nameOf(alert),
  columns: [
    { header: texts.columns.what, kind: 'name', cell: ({ alert }) => nameOf(alert) },
    { header: texts.columns.message, cell: (told) => <Message of={told} /> },
    { header: texts.columns.state, kind: 'status', cell: ({ state }) => <Status of={state} /> },
    { header: texts.columns.since, kind: 'time', cell: ({ opened_at: at }) => <Time at={at} /> },
    { header: texts.columns.sent, kind: 'status', cell: (told) => <SentState messages={told.messages} none={sentTexts.none} /> },
  ],
  facts: ({ subject, message, language, state, opened_at: opened, resolved_at: over }) => [
    [
      texts.about,
      <PageLink key="about" underline="always" href={`/endpoints/${subject}`}>
        {texts.show}
      </PageLink>,
    ],
    [texts.columns.message, <Message key="message" of={{ message, language }} />],
    [texts.columns.state, <Status key="state" of={state} />],
    [texts.columns.since, <Time key="opened" at={opened} />],
    [texts.over, <Time key="over" at={over} none={texts.notOver} />],
  ],
  content: ({ messages }) => (
    <SentMessages
      texts={sentTexts}
      messages={messages.map(({ kind, status, answer: said, due_at, sent_at }) => ({
        key: kind,
        to: sentTexts.to,
        tells: sentTexts.tells[kind],
        status,
        answer: said,
        at: sent_at ?? due_at,
      }))}
    />
  ),
  actions: [],
};

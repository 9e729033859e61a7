import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { Owner } from '../../parts/owner.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { SentMessages, worstOf } from '../../parts/sent-messages.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Why } from '../../parts/why.tsx';
import { text } from '../../texts/index.ts';
import { messageOf } from './message.ts';
import { type Alert, Severity } from './severity.tsx';

const { rule: rules, own, history: words, messages } = text.alerts;
const titles: Readonly<Record<Alert['rule'], string>> = {
  ...(Object.fromEntries(Object.entries(rules).map(([name, { title }]) => [name, title])) as Record<keyof typeof rules, string>),
  ...own,
};

/** What an alert is about: a rule, or what a partner is told. */
const titleOf = ({ rule }: Alert): string => titles[rule];

function Sent({ of: { messages: sent } }: { of: Alert }) {
  const status = worstOf(sent);
  return status === null ? <span>{words.toNobody}</span> : <Status of={status} />;
}

const Messages = ({ of }: { of: Alert }) => (
  <SentMessages
    texts={messages}
    messages={of.messages.map(({ channel_id, channel, kind, status, answer, due_at, sent_at }) => ({
      key: `${channel_id} ${kind}`,
      ...{ to: channel ?? messages.removedChannel, tells: messages.tells[kind], status, answer, at: sent_at ?? due_at },
    }))}
  />
);

/** The partner comes first: a phone and a narrow column cut the end. */
function Which({ alert: { owner, about, ...alert } }: { alert: Alert }) {
  const named = about.id && (owner.id === null ? words.ofPartner : words.toPartner)(about.name ?? about.id, about.id);
  return (
    <>
      {named && (
        <Text size="xs" c="dimmed" truncate title={named}>
          {named}
        </Text>
      )}
      {alert.cause && <Why of={alert.cause} />} {messageOf(alert) ?? <ServerText>{alert.message}</ServerText>}
    </>
  );
}

/** Alerts, newest first, and what was sent where. */
export const history: Resource<Alert> = {
  name: 'alerts',
  title: text.alerts.title,
  description: words.description,
  empty: words.empty,
  filters: [
    {
      name: 'state',
      label: words.filters.state,
      kind: 'choice',
      choices: Object.entries(words.state).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'rule',
      label: words.filters.rule,
      kind: 'choice',
      choices: Object.entries(titles).map(([value, label]) => ({ value, label })),
      width: 230,
    },
    { name: 'owner', label: words.filters.owner, kind: 'text', placeholder: 'account:acc_1', width: 200 },
    { name: 'subject', label: words.filters.subject, kind: 'text', placeholder: words.filters.subjectExample, width: 240 },
  ],
  load: async (query) => answer(api.GET('/alerts', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: (alert) => messageOf(alert) ?? alert.message,
  columns: [
    { header: words.columns.which, cell: (alert) => <Which alert={alert} /> },
    { header: words.columns.what, kind: 'name', cell: titleOf },
    { header: words.columns.severity, kind: 'status', cell: ({ severity }) => <Severity of={severity} /> },
    { header: words.columns.state, kind: 'status', cell: ({ state }) => <Status of={state} /> },
    { header: words.columns.since, kind: 'time', cell: ({ opened_at: at }) => <Time at={at} /> },
    { header: words.columns.sent, kind: 'status', cell: (alert) => <Sent of={alert} /> },
  ],
  facts: ({
    rule,
    owner,
    about,
    severity,
    state,
    page,
    subject,
    opened_at: opened,
    notified_at: notified,
    resolved_at: resolved,
  }) => [
    [
      words.facts.cause,
      <Anchor key="cause" component={Link} size="sm" underline="always" href={page}>
        {words.showCause}
      </Anchor>,
    ],
    [words.facts.rule, titles[rule]],
    [words.facts.told, <Owner key="told" of={owner} />],
    ...(about.id === null ? [] : ([[words.facts.partner, <Owner key="partner" of={about} />]] as const)),
    [words.facts.severity, <Severity key="severity" of={severity} />],
    [words.facts.state, <Status key="state" of={state} />],
    [
      words.facts.about,
      <span key="about" className="mono break-anywhere">
        {subject === '*' ? words.gateway : subject}
      </span>,
    ],
    [words.facts.since, <Time key="opened" at={opened} />],
    [words.facts.handed, <Time key="notified" at={notified} none={words.notYetHanded} />],
    [words.facts.over, <Time key="resolved" at={resolved} none={words.notOver} />],
  ],
  content: (alert) => <Messages of={alert} />,
  actions: [],
};

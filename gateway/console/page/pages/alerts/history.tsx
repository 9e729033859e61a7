import { Group } from '@mantine/core';
import { answer, api } from '../../lib/api.ts';
import { labelled } from '../../lib/filters.ts';
import { useWhy } from '../../lib/why.ts';
import { HandleMenu } from '../../parts/alert/handle.tsx';
import { HandledBy, isHandled, stateOf } from '../../parts/alert/handled.tsx';
import { Owner } from '../../parts/owner.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { SentMessages, SentState } from '../../parts/sent-messages.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { Why } from '../../parts/why.tsx';
import { text } from '../../texts/index.ts';
import { endingOf, messageOf } from './message.ts';
import { type Alert, Severity } from './severity.tsx';

const { rule: rules, own, history: words, messages } = text.alerts;
const titles: Readonly<Record<Alert['rule'], string>> = {
  ...(Object.fromEntries(Object.entries(rules).map(([name, { title }]) => [name, title])) as Record<keyof typeof rules, string>),
  ...own,
};

const Messages = ({ of }: { of: Alert }) => (
  <SentMessages
    texts={messages}
    messages={of.messages.map(({ channel_id, channel, kind, status, answer, due_at, sent_at }) => ({
      key: `${channel_id} ${kind}`,
      to: channel ?? messages.removedChannel,
      tells: messages.tells[kind],
      status,
      answer,
      at: due_at ?? sent_at,
    }))}
  />
);

function Ending({ of }: { of: Pick<Alert, 'case' | 'values' | 'ending'> }) {
  const why = useWhy();
  return endingOf(of, why) ?? <ServerText>{of.ending?.text}</ServerText>;
}

function State({ of: { state, ...of } }: { of: Pick<Alert, 'state' | 'acknowledged_at' | 'snoozed_until'> }) {
  const shown = state === 'resolved' ? state : stateOf(of);
  return <Status of={shown} label={words.state[shown === 'open' ? 'unhandled' : shown]} />;
}

const StateAndName = ({ of }: { of: Alert }) => (
  <TwoLines main={<State of={of} />} more={of.assigned_to} title={of.assigned_to ?? undefined} />
);

/** Who works on it. Only an open alert of operators can be handled. */
const Handling = ({ of }: { of: Alert }) => (
  <Group gap="xs">
    <span>{isHandled(of) ? <HandledBy of={[of]} /> : words.nobody}</span>
    {of.state === 'open' && <HandleMenu of={[of]} />}
  </Group>
);

/** What happened. The cause says more than the rule's message, which is the title of the alert's own page. */
function Which({ of }: { of: Alert }) {
  if (of.ending !== null) return <Ending of={of} />;
  return of.cause ? <Why of={of.cause} /> : (messageOf(of) ?? <ServerText>{of.message}</ServerText>);
}

function RuleAndPartner({ of: { rule, owner, about } }: { of: Alert }) {
  const named = about.id && (owner.id === null ? words.ofPartner : words.toPartner)(about.name ?? about.id, about.id);
  return <TwoLines main={titles[rule]} more={named && (about.name ?? about.id)} title={named ?? undefined} />;
}

/** Alerts, newest first, and what was sent where. */
export const history: Resource<Alert> = {
  name: 'alerts',
  title: text.alerts.title,
  description: words.description,
  empty: words.empty,
  filters: [
    { name: 'state', label: words.filters.state, kind: 'choice', choices: labelled(words.state) },
    {
      name: 'rule',
      label: words.filters.rule,
      kind: 'choice',
      choices: labelled(titles),
      width: 230,
    },
    { name: 'owner', label: words.filters.owner, kind: 'text', placeholder: 'account:acc_1', width: 200 },
    { name: 'subject', label: words.filters.subject, kind: 'text', placeholder: words.filters.subjectExample, width: 240 },
  ],
  load: async (query) => answer(api.GET('/alerts', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: (alert) => messageOf(alert) ?? alert.message,
  columns: [
    { header: words.columns.which, cell: (alert) => <Which of={alert} /> },
    { header: words.columns.what, kind: 'long', cell: (alert) => <RuleAndPartner of={alert} /> },
    { header: words.columns.severity, kind: 'status', cell: ({ severity }) => <Severity of={severity} /> },
    { header: words.columns.state, kind: 'status', cell: (alert) => <StateAndName of={alert} /> },
    {
      header: words.columns.since,
      kind: 'time',
      cell: ({ opened_at: from, resolved_at: to }) => (
        <TwoLines main={<Time at={from} />} more={to && words.until(<Time at={to} />)} />
      ),
    },
    {
      header: words.columns.sent,
      kind: 'status',
      cell: (alert) => <SentState messages={alert.messages} none={words.toNobody} />,
    },
  ],
  facts: (alert) => {
    const {
      rule,
      owner,
      about,
      severity,
      page,
      subject,
      opened_at: opened,
      notified_at: notified,
      resolved_at: resolved,
    } = alert;
    return [
      [
        words.facts.cause,
        <PageLink key="cause" underline="always" href={page}>
          {words.showCause}
        </PageLink>,
      ],
      [words.facts.rule, titles[rule]],
      [words.facts.told, <Owner key="told" of={owner} />],
      ...(about.id === null ? [] : ([[words.facts.partner, <Owner key="partner" of={about} />]] as const)),
      [words.facts.severity, <Severity key="severity" of={severity} />],
      [words.facts.state, <State key="state" of={alert} />],
      ...(owner.id === null && (alert.state === 'open' || isHandled(alert))
        ? ([[words.facts.handled, <Handling key="handled" of={alert} />]] as const)
        : []),
      [
        words.facts.about,
        <span key="about" className="mono break-anywhere">
          {subject === '*' ? words.gateway : subject}
        </span>,
      ],
      [words.facts.since, <Time key="opened" at={opened} />],
      [words.facts.handed, <Time key="notified" at={notified} none={words.notYetHanded} />],
      [words.facts.over, <Time key="resolved" at={resolved} none={words.notOver} />],
      ...(alert.ending ? ([[words.facts.ending, <Ending key="ending" of={alert} />]] as const) : []),
    ];
  },
  content: (alert) => <Messages of={alert} />,
  actions: [],
};

import { answer, api } from '../../lib/api.ts';
import { labelled } from '../../lib/filters.ts';
import { Owner } from '../../parts/owner.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { SentMessages, SentState } from '../../parts/sent-messages.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { Why } from '../../parts/why.tsx';
import { text } from '../../texts/index.ts';
import { type Alert, Severity } from './severity.tsx';

const { rule: titles, history: words, messages } = text.alerts;

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

const State = ({ of }: { of: Alert['state'] }) => <Status of={of} label={words.state[of]} />;

/** What happened. The cause says more than the rule's message, which is the title of the alert's own page. */
function Which({ of }: { of: Alert }) {
  if (of.ending !== null) return of.ending.text;
  return of.cause ? <Why of={of.cause} /> : of.message;
}

function RuleAndPartner({ of: { rule, about } }: { of: Alert }) {
  const named = about.id && words.ofPartner(about.name ?? about.id, about.id);
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
  titleOf: ({ message }) => message,
  columns: [
    { header: words.columns.which, cell: (alert) => <Which of={alert} /> },
    { header: words.columns.what, kind: 'long', cell: (alert) => <RuleAndPartner of={alert} /> },
    { header: words.columns.severity, kind: 'status', cell: ({ severity }) => <Severity of={severity} /> },
    { header: words.columns.state, kind: 'status', cell: ({ state }) => <State of={state} /> },
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
    const { rule, about, severity, page, subject, opened_at: opened, resolved_at: resolved } = alert;
    return [
      [
        words.facts.cause,
        <PageLink key="cause" underline="always" href={page}>
          {words.showCause}
        </PageLink>,
      ],
      [words.facts.rule, titles[rule]],
      ...(about.id === null ? [] : ([[words.facts.partner, <Owner key="partner" of={about} />]] as const)),
      [words.facts.severity, <Severity key="severity" of={severity} />],
      [words.facts.state, <State key="state" of={alert.state} />],
      [
        words.facts.about,
        <span key="about" className="mono break-anywhere">
          {subject.startsWith('ep_') ? subject : words.gateway}
        </span>,
      ],
      [words.facts.since, <Time key="opened" at={opened} />],
      [words.facts.over, <Time key="resolved" at={resolved} none={words.notOver} />],
      ...(alert.ending ? ([[words.facts.ending, alert.ending.text]] as const) : []),
    ];
  },
  content: (alert) => <Messages of={alert} />,
  actions: [],
};

import { Text } from '@mantine/core';
import { answer, api } from '../../lib/api.ts';
import { Active, activeField } from '../../parts/resource/cells.tsx';
import type { Action, Field, Resource } from '../../parts/resource/resource.ts';
import { ServerText } from '../../parts/server-text.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { type Channel, Severity, severities } from './severity.tsx';

type Kind = Channel['kind'];

const { channels: words, severity: severityNames } = text.alerts;
const labels = words.fields;
const securityNames: Readonly<Record<string, string>> = { none: labels.noSecurity };

const commonFields = (channel: Channel | null): Field[] => [
  {
    name: 'min_severity',
    label: labels.severity,
    kind: 'choice',
    choices: severities,
    labels: severityNames,
    initial: channel?.min_severity ?? 'warning',
    help: labels.severityHelp,
  },
  ...(channel ? [activeField(channel.active)] : []),
];

const nameField = (channel: Channel | null, placeholder: string): Field => ({
  name: 'name',
  label: labels.name,
  kind: 'text',
  initial: channel?.name,
  placeholder,
});

const emailFields = (channel: Channel | null): Field[] => [
  nameField(channel, labels.emailNameExample),
  {
    name: 'to',
    label: labels.to,
    kind: 'list',
    initial: channel?.to,
    placeholder: 'awa@example.org, kofi@example.org',
    help: labels.toHelp,
  },
  { name: 'from', label: labels.from, kind: 'text', initial: channel?.from, placeholder: 'gateway@example.org' },
  { name: 'host', label: labels.host, kind: 'text', initial: channel?.host, placeholder: 'mail.example.org' },
  { name: 'port', label: labels.port, kind: 'number', initial: channel?.port ?? 587 },
  {
    name: 'security',
    label: labels.security,
    kind: 'choice',
    choices: ['starttls', 'tls', 'none'],
    labels: securityNames,
    initial: channel?.security ?? 'starttls',
    help: labels.securityHelp,
  },
  { name: 'username', label: labels.username, kind: 'text', optional: true, emptyIsNull: true, initial: channel?.username },
  {
    name: 'password',
    label: labels.password,
    kind: 'secret',
    optional: true,
    help: channel?.has_secret ? labels.keepSecret : labels.noPassword,
  },
  {
    name: 'for_partners',
    label: labels.forPartners,
    kind: 'flag',
    initial: channel?.for_partners ?? false,
    help: labels.forPartnersHelp,
  },
  ...commonFields(channel),
];

const slackFields = (channel: Channel | null): Field[] => [
  nameField(channel, labels.slackNameExample),
  {
    name: 'credential',
    label: labels.url,
    kind: 'secret',
    optional: channel !== null,
    help: channel ? labels.keepSecret : labels.urlHelp,
  },
  ...commonFields(channel),
];

/** Marking a channel for partners takes that from another one, which the operator may not expect. */
const withReplaced = (message: string, replaced: { name: string } | null) =>
  replaced === null ? message : `${message} ${words.replaces(replaced.name)}`;

const one = (id: string) => ({ params: { path: { id } } });

const actions = (fields: (channel: Channel | null) => Field[]): Action<Channel>[] => [
  {
    label: words.test,
    async run({ id }) {
      const { data } = await answer(api.POST('/alerts/channels/{id}/test', one(id)));
      return data.ok
        ? { message: words.accepted, says: { ok: true, text: data.answer } }
        : { message: words.refused, says: { ok: false, text: data.answer } };
    },
  },
  {
    label: words.edit,
    fields,
    async run({ id }, values) {
      const { data } = await answer(api.PATCH('/alerts/channels/{id}', { ...one(id), body: values }));
      return { message: withReplaced(words.changed(data.name), data.replaces) };
    },
  },
  {
    label: words.remove,
    consequences: words.removal,
    async run({ id, name }) {
      await answer(api.DELETE('/alerts/channels/{id}', one(id)));
      return { message: words.removed(name) };
    },
  },
];

const serverOf = ({ host, port, security }: Channel) =>
  port === null ? host : `${host}:${port}, ${securityNames[security ?? ''] ?? security}`;

/** Whether messages arrive, with the server's last answer. */
function Works({ channel }: { channel: Channel }) {
  const { active, failing_since: failing, last_sent_at: sent } = channel;
  if (!active) return <Active is={false} />;
  if (failing !== null)
    return (
      <Text size="sm" c="red">
        {words.failsSince(<Time at={failing} />)}
      </Text>
    );
  return sent === null ? <Text size="sm">{words.nothingSent}</Text> : <Text size="sm">{words.sentAt(<Time at={sent} />)}</Text>;
}

const factsOf = (channel: Channel): ReturnType<NonNullable<Resource<Channel>['facts']>> => [
  [words.facts.works, <Works key="works" channel={channel} />],
  [
    words.facts.answer,
    channel.last_answer === null ? words.noAnswer : <ServerText key="answer">{channel.last_answer}</ServerText>,
  ],
  [words.facts.server, serverOf(channel)],
  ...(channel.kind === 'email'
    ? ([
        [words.facts.to, channel.to.join(', ')],
        [words.facts.from, channel.from],
        [words.facts.username, channel.username ?? words.noUsername],
        [words.facts.forPartners, channel.for_partners ? words.servesPartners : words.servesNoPartners],
      ] as const)
    : []),
  [words.facts.severity, <Severity key="severity" of={channel.min_severity} />],
];

const channelsOf = ({ kind, fields }: { kind: Kind; fields(channel: Channel | null): Field[] }): Resource<Channel> => ({
  name: `alert channels ${kind}`,
  ...words[kind],
  empty: words.empty,
  load: async (query) => answer(api.GET('/alerts/channels', { params: { query: { ...query, kind } } })),
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  columns: [
    { header: words.columns.name, cell: ({ name }) => name },
    { header: words.columns.server, cell: ({ host }) => host },
    ...(kind === 'email'
      ? [
          {
            header: words.facts.forPartners,
            cell: ({ for_partners }: Channel) => (for_partners ? words.servesPartners : words.servesNoPartners),
          },
        ]
      : []),
    { header: words.columns.severity, kind: 'status', cell: ({ min_severity: severity }) => <Severity of={severity} /> },
    { header: words.columns.works, kind: 'name', cell: (channel) => <Works channel={channel} /> },
  ],
  facts: factsOf,
  create: {
    label: words.create,
    fields: () => fields(null),
    async run(_, values) {
      const { data } = await answer(
        api.POST('/alerts/channels', {
          // The fields are those of the kind, which the type of the body cannot see.
          body: { kind, ...values } as never,
        }),
      );
      return { message: withReplaced(words.created(data.name), data.replaces), createdId: data.id };
    },
  },
  actions: actions(fields),
});

export const emailChannels = channelsOf({ kind: 'email', fields: emailFields });

export const slackChannels = channelsOf({ kind: 'slack', fields: slackFields });

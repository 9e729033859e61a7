import { Text } from '@mantine/core';
import { answer, api } from '../../lib/api.ts';
import { Active, activeField } from '../../parts/resource/cells.tsx';
import type { Action, Field, Resource, Values } from '../../parts/resource/resource.ts';
import { Time } from '../../parts/time.tsx';
import { type Channel, Severity, severities } from './severity.tsx';

type Kind = Channel['kind'];

const viewersZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const commonFields = (channel: Channel | null): Field[] => [
  {
    name: 'min_severity',
    label: 'From severity',
    kind: 'choice',
    choices: severities,
    initial: channel?.min_severity ?? 'warning',
    help: 'It gets alerts of this severity and above, unless a rule names its channels.',
  },
  {
    name: 'night_from',
    label: 'Night from',
    kind: 'text',
    optional: true,
    initial: channel?.night?.from,
    placeholder: '22:00',
    help: 'At night only critical alerts are sent. The others wait. Empty: no night.',
  },
  { name: 'night_to', label: 'Night to', kind: 'text', optional: true, initial: channel?.night?.to, placeholder: '06:00' },
  {
    name: 'night_zone',
    label: 'Time zone of the night',
    kind: 'text',
    optional: true,
    initial: channel?.night?.time_zone ?? viewersZone,
  },
  ...(channel ? [activeField(channel.active)] : []),
];

const nameField = (channel: Channel | null, placeholder: string): Field => ({
  name: 'name',
  label: 'Name',
  kind: 'text',
  initial: channel?.name,
  placeholder,
});

const emailFields = (channel: Channel | null): Field[] => [
  nameField(channel, 'On call'),
  {
    name: 'to',
    label: 'To',
    kind: 'list',
    initial: channel?.to,
    placeholder: 'awa@example.org, kofi@example.org',
    help: 'Addresses separated by commas.',
  },
  { name: 'from', label: 'From', kind: 'text', initial: channel?.from, placeholder: 'gateway@example.org' },
  { name: 'host', label: 'Mail server', kind: 'text', initial: channel?.host, placeholder: 'mail.example.org' },
  { name: 'port', label: 'Port', kind: 'number', initial: channel?.port ?? 587 },
  {
    name: 'security',
    label: 'Encryption',
    kind: 'choice',
    choices: ['starttls', 'tls', 'none'],
    initial: channel?.security ?? 'starttls',
    help: 'starttls is usual for port 587, tls for 465. none is plain text.',
  },
  { name: 'username', label: 'User name', kind: 'text', optional: true, emptyIsNull: true, initial: channel?.username },
  {
    name: 'password',
    label: 'Password',
    kind: 'secret',
    optional: true,
    help: channel?.has_secret ? 'Empty: the stored one stays.' : 'Empty: no sign-in.',
  },
  ...commonFields(channel),
];

const slackFields = (channel: Channel | null): Field[] => [
  nameField(channel, '#operations'),
  {
    name: 'credential',
    label: "The incoming webhook's URL",
    kind: 'secret',
    optional: channel !== null,
    help: channel ? 'Empty: the stored one stays.' : 'Who knows it can post, so it is never shown again.',
  },
  ...commonFields(channel),
];

/** The form has a field for each part of the night; the API has one for all. */
function bodyOf({ night_from, night_to, night_zone, ...values }: Values): Values {
  const isEmpty = night_from === undefined && night_to === undefined;
  return { ...values, night: isEmpty ? null : { from: night_from ?? '', to: night_to ?? '', time_zone: night_zone ?? '' } };
}

const one = (id: string) => ({ params: { path: { id } } });

const actions = (fields: (channel: Channel | null) => Field[]): Action<Channel>[] => [
  {
    label: 'Send a test',
    async run({ id }) {
      const { data } = await answer(api.POST('/alerts/channels/{id}/test', one(id)));
      return data.ok
        ? { message: 'The test was accepted.', says: { ok: true, text: data.answer } }
        : { message: 'The test was not accepted.', says: { ok: false, text: data.answer } };
    },
  },
  {
    label: 'Edit',
    fields,
    async run({ id }, values) {
      const { data } = await answer(api.PATCH('/alerts/channels/{id}', { ...one(id), body: bodyOf(values) as never }));
      return { message: `${data.name} was changed.` };
    },
  },
  {
    label: 'Remove',
    consequences: ['Alerts are no longer sent there.', 'Rules that name it no longer do.', 'Its password or URL is deleted.'],
    async run({ id, name }) {
      await answer(api.DELETE('/alerts/channels/{id}', one(id)));
      return { message: `${name} was removed.` };
    },
  },
];

const nightOf = ({ night }: Channel) => (night === null ? 'none' : `${night.from} to ${night.to} ${night.time_zone}`);

/** Whether messages arrive, with the server's last answer. */
function Works({ channel }: { channel: Channel }) {
  const { active, failing_since: failing, last_sent_at: sent } = channel;
  if (!active) return <Active is={false} />;
  if (failing !== null)
    return (
      <Text size="sm" c="red">
        fails since <Time at={failing} />
      </Text>
    );
  return sent === null ? (
    <Text size="sm">nothing sent yet</Text>
  ) : (
    <Text size="sm">
      sent <Time at={sent} />
    </Text>
  );
}

interface KindOfChannel {
  kind: Kind;
  title: string;
  description: string;
  fields(channel: Channel | null): Field[];
}

const channelsOf = ({ kind, title, description, fields }: KindOfChannel): Resource<Channel> => ({
  name: `alert channels ${kind}`,
  title,
  description,
  empty: 'Alerts are recorded, and nobody is told here.',
  load: async (query) => answer(api.GET('/alerts/channels', { params: { query: { ...query, kind } } })),
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Server', cell: ({ host }) => host },
    { header: 'From severity', width: 120, cell: ({ min_severity: severity }) => <Severity of={severity} /> },
    { header: 'Works', width: 240, cell: (channel) => <Works channel={channel} /> },
  ],
  facts: (channel) => [
    ['Works', <Works key="works" channel={channel} />],
    ["The server's last answer", channel.last_answer ?? 'none yet'],
    ['Server', channel.port === null ? channel.host : `${channel.host}:${channel.port}, ${channel.security}`],
    ...(channel.kind === 'email'
      ? ([
          ['To', channel.to.join(', ')],
          ['From', channel.from],
          ['User name', channel.username ?? 'none'],
        ] as const)
      : []),
    ['From severity', <Severity key="severity" of={channel.min_severity} />],
    ['Night', nightOf(channel)],
  ],
  create: {
    label: 'New channel',
    fields: () => fields(null),
    async run(_, values) {
      const { data } = await answer(api.POST('/alerts/channels', { body: { kind, ...bodyOf(values) } as never }));
      return { message: `${data.name} was created. Open it to send a test.`, createdId: data.id };
    },
  },
  actions: actions(fields),
});

export const emailChannels = channelsOf({
  kind: 'email',
  title: 'E-mail',
  description: 'Alerts go out through your mail server, over SMTP. The password is encrypted, and never shown.',
  fields: emailFields,
});

export const slackChannels = channelsOf({
  kind: 'slack',
  title: 'Chat',
  description: 'Alerts are posted to an incoming webhook of Slack, or of Mattermost, which takes the same format.',
  fields: slackFields,
});

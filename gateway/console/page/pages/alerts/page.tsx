import { Alert as Notice, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { Frame } from '../../parts/frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { text } from '../../texts/index.ts';
import { emailChannels, slackChannels } from './channels.tsx';
import { history } from './history.tsx';
import type { Channel } from './severity.tsx';

const { title, tabs: titles, notice } = text.alerts;

const parts: readonly { path: string; title: string; resource: Resource<object> }[] = [
  { path: '/alerts', title: titles.alerts, resource: history },
  { path: '/alerts/email', title: titles.email, resource: emailChannels },
  { path: '/alerts/chat', title: titles.chat, resource: slackChannels },
];
const tabs = parts.map((part) => ({ href: part.path, title: part.title }));

/** What the rules found, and the channels that tell people. */
export default function Alerts({ params }: PageProps) {
  const channels = useQuery({
    queryKey: ['back-office', 'alert channels', 'all'],
    queryFn: () => answer(api.GET('/alerts/channels', { params: { query: { limit: 100 } } })),
  });
  const part = parts.find(({ path }) => path === (params.part === undefined ? '/alerts' : `/alerts/${params.part}`));
  return (
    <Frame title={title}>
      <Tabs label={title} tabs={tabs} current={part?.path ?? ''} />
      {channels.data && <ChannelNotice channels={channels.data.data} />}
      {part ? <ResourceList key={part.path} resource={part.resource} path={part.path} /> : <Problem {...text.parts.noSuchTab} />}
    </Frame>
  );
}

/** Says that nobody is told, or which channels fail. */
function ChannelNotice({ channels }: { channels: readonly Channel[] }) {
  const working = channels.filter(({ active }) => active);
  if (working.length === 0)
    return (
      <Notice color="yellow" variant="light" title={notice.nobody}>
        <Text size="sm">{notice.noChannel}</Text>
      </Notice>
    );
  const failing = working.filter(({ failing_since: since }) => since !== null);
  if (failing.length === 0) return null;
  return (
    <Notice color="red" variant="light" title={notice.failing}>
      {failing.map(({ id, name, last_answer: said }) => (
        <Text key={id} size="sm" className="break-anywhere">
          {notice.answer(name, <ServerText>{said}</ServerText>)}
        </Text>
      ))}
    </Notice>
  );
}

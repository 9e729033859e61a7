import { Alert as Notice, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, api } from '../../lib/api.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { Frame } from '../../parts/frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { emailChannels, slackChannels } from './channels.tsx';
import { historyWith } from './history.tsx';
import { rulesWith } from './rules.tsx';
import type { Channel, Rule } from './severity.tsx';

const noRules: Rule[] = [];
const noChannels: Channel[] = [];

interface Part {
  path: string;
  title: string;
  resource(rules: readonly Rule[], channels: readonly Channel[]): Resource<object>;
}

const parts: readonly Part[] = [
  { path: '/alerts', title: 'Alerts', resource: (rules) => historyWith(rules) },
  { path: '/alerts/rules', title: 'Rules', resource: (_, channels) => rulesWith(channels) },
  { path: '/alerts/email', title: 'E-mail', resource: () => emailChannels },
  { path: '/alerts/chat', title: 'Chat', resource: () => slackChannels },
];
const tabs = parts.map(({ path, title }) => ({ href: path, title }));

/** What the rules found, the rules themselves, and the channels that tell people. */
export default function Alerts({ params }: PageProps) {
  const rules = useQuery({ queryKey: ['back-office', 'alert rules', 'all'], queryFn: () => answer(api.GET('/alerts/rules')) });
  const channels = useQuery({
    queryKey: ['back-office', 'alert channels', 'all'],
    queryFn: () => answer(api.GET('/alerts/channels', { params: { query: { limit: 100 } } })),
  });
  const part = parts.find(({ path }) => path === (params.part === undefined ? '/alerts' : `/alerts/${params.part}`));
  const [knownRules, knownChannels] = [rules.data?.data ?? noRules, channels.data?.data ?? noChannels];
  const resource = useMemo(() => part?.resource(knownRules, knownChannels), [part, knownRules, knownChannels]);
  return (
    <Frame title="Alerts">
      <Tabs label="Alerts" tabs={tabs} current={part?.path ?? ''} />
      {channels.data && <ChannelNotice channels={knownChannels} />}
      {part && resource ? (
        <ResourceList key={part.path} resource={resource} path={part.path} />
      ) : (
        <Problem title="There is no such page" next="Choose one of the tabs above." />
      )}
    </Frame>
  );
}

/** Says that nobody is told, or which channels fail. */
function ChannelNotice({ channels }: { channels: readonly Channel[] }) {
  const working = channels.filter(({ active }) => active);
  if (working.length === 0)
    return (
      <Notice color="yellow" variant="light" title="Nobody is told">
        <Text size="sm">
          There is no active channel. Alerts are recorded here. Add an e-mail channel, or an incoming webhook.
        </Text>
      </Notice>
    );
  const failing = working.filter(({ failing_since: since }) => since !== null);
  if (failing.length === 0) return null;
  return (
    <Notice color="red" variant="light" title="Messages do not arrive">
      {failing.map(({ id, name, last_answer: said }) => (
        <Text key={id} size="sm" className="break-anywhere">
          <b>{name}</b>: {said}
        </Text>
      ))}
    </Notice>
  );
}

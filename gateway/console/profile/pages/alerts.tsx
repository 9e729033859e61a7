import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PageProps } from '../../page/lib/page-props.ts';
import { Frame } from '../../page/parts/frame.tsx';
import { Loading } from '../../page/parts/loading.tsx';
import { Failure, Problem } from '../../page/parts/problem.tsx';
import { ResourceList } from '../../page/parts/resource/resource-list.tsx';
import { Tabs } from '../../page/parts/tabs.tsx';
import { dataOf, profile } from '../lib/api.ts';
import { AlertAddress } from '../parts/alerts/address.tsx';
import { history } from '../parts/alerts/history.tsx';
import { text } from '../texts/index.ts';

const { title, tabs: titles, unavailable } = text.alerts;

const tabs = [
  { href: '/alerts', title: titles.address },
  { href: '/alerts/messages', title: titles.messages },
];

/** What is told by e-mail: the address, and what was sent. */
export default function Alerts({ params: { part } }: PageProps) {
  const read = useQuery({ queryKey: ['alerts'], queryFn: () => dataOf(profile.GET('/alerts')) });
  const current = part === undefined ? '/alerts' : `/alerts/${part}`;
  return (
    <Frame title={title}>
      <Tabs label={title} tabs={tabs} current={current} />
      {read.data?.available === false && (
        <Alert color="yellow" title={unavailable.title}>
          {unavailable.next}
        </Alert>
      )}
      {current === '/alerts' &&
        (read.data ? (
          <AlertAddress key={read.data.address?.confirmed_at ?? 'new'} address={read.data.address} />
        ) : read.error ? (
          <Failure error={read.error} retry={read.refetch} />
        ) : (
          <Loading lines={8} />
        ))}
      {current === '/alerts/messages' && <ResourceList key="messages" resource={history} path={current} />}
      {!tabs.some(({ href }) => href === current) && <Problem {...text.parts.noSuchTab} />}
    </Frame>
  );
}

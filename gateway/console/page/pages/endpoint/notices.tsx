import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { Loading } from '../../parts/loading.tsx';
import { NoticeList } from '../../parts/notice-list.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';

export function Notices({ id }: { id: string }) {
  const notices = useQuery({
    queryKey: ['endpoint', id, 'notices'],
    queryFn: async () => (await answer(api.GET('/notices', { params: { query: { endpoint_id: id, limit: 10 } } }))).data,
    refetchInterval: 5000,
  });
  return (
    <Section title={text.endpoint.notices.title}>
      {notices.error ? (
        <Failure error={notices.error} retry={notices.refetch} />
      ) : !notices.data ? (
        <Loading lines={2} />
      ) : notices.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.endpoint.notices.none}
        </Text>
      ) : (
        <NoticeList notices={notices.data} />
      )}
    </Section>
  );
}

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { Loading } from '../../parts/loading.tsx';
import { NoticeList } from '../../parts/notice-list.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';

export function Notices({ id }: { id: string }) {
  const notices = useQuery({
    queryKey: ['endpoint', id, 'notices'],
    queryFn: async () => (await answer(api.GET('/notices', { params: { query: { endpoint_id: id, limit: 10 } } }))).data,
    refetchInterval: 5000,
  });
  return (
    <Section title="Notices">
      {notices.error ? (
        <Failure error={notices.error} retry={notices.refetch} />
      ) : !notices.data ? (
        <Loading lines={2} />
      ) : notices.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          The gateway never held or disabled this endpoint.
        </Text>
      ) : (
        <NoticeList notices={notices.data} />
      )}
    </Section>
  );
}

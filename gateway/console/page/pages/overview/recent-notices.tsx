import { Text } from '@mantine/core';
import { useEndpointNames } from '../../lib/endpoints.ts';
import type { Overview } from '../../lib/figures.ts';
import { NoticeList } from '../../parts/notice-list.tsx';
import { Section } from '../../parts/section.tsx';
import { shortUrl } from './problems.ts';

export function RecentNotices({ notices }: Pick<Overview, 'notices'>) {
  const endpoints = useEndpointNames();
  return (
    <Section title="Recent notices">
      {notices.length === 0 ? (
        <Text size="sm" c="dimmed">
          None: no endpoint was held or disabled.
        </Text>
      ) : (
        <NoticeList notices={notices} nameOf={(id) => shortUrl(endpoints.find((one) => one.id === id)?.url ?? id)} />
      )}
    </Section>
  );
}

import { Text } from '@mantine/core';
import type { Overview } from '../../lib/figures.ts';
import { NoticeList } from '../../parts/notice-list.tsx';
import { Section } from '../../parts/section.tsx';

export function RecentNotices({ notices }: Pick<Overview, 'notices'>) {
  return (
    <Section title="Recent notices">
      {notices.length === 0 ? (
        <Text size="sm" c="dimmed">
          No endpoint was held or disabled.
        </Text>
      ) : (
        <NoticeList notices={notices} showEndpoint />
      )}
    </Section>
  );
}

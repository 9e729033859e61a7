import { Text } from '@mantine/core';
import type { Overview } from '../../lib/figures.ts';
import { NoticeList } from '../../parts/notice-list.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';

export function RecentNotices({ notices }: Pick<Overview, 'notices'>) {
  return (
    <Section title={text.overview.notices.title}>
      {notices.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.overview.notices.none}
        </Text>
      ) : (
        <NoticeList notices={notices} showEndpoint />
      )}
    </Section>
  );
}

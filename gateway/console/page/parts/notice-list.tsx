import { Anchor, Group, Stack, Text, Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import type { paths } from '../lib/api.ts';
import { text } from '../texts/index.ts';
import { EndpointName } from './endpoint/name.tsx';
import type { Icon } from './icons/icon.tsx';
import { IconBan, IconCircleCheck, IconHandStop } from './icons/tabler.ts';
import { RelativeTime } from './time.tsx';

type Notice = paths['/notices']['get']['responses'][200]['content']['application/json']['data'][number];

const icons: Readonly<Record<Notice['kind'], { icon: Icon; colour: string }>> = {
  'endpoint.held': { icon: IconHandStop, colour: 'var(--mantine-color-yellow-filled)' },
  'endpoint.recovered': { icon: IconCircleCheck, colour: 'var(--mantine-color-teal-filled)' },
  'endpoint.disabled': { icon: IconBan, colour: 'var(--mantine-color-red-filled)' },
};

interface NoticeListProps {
  notices: readonly Notice[];
  /** Shows each notice's endpoint, if they are of several. */
  showEndpoint?: boolean;
}

/** Notices about endpoints, newest first. */
export const NoticeList = ({ notices, showEndpoint = false }: NoticeListProps) => (
  <Stack gap="xs">
    {notices.map(({ id, kind, endpoint_id, message, advice, created_at }) => {
      const { icon: Icon, colour } = icons[kind];
      return (
        <Group key={id} gap="xs" wrap="nowrap" align="flex-start">
          <Tooltip label={advice} multiline maw={320}>
            <Icon size={17} color={colour} role="img" aria-label={text.parts.notices[kind]} className="keep-size" />
          </Tooltip>
          <Text size="sm" className="break-anywhere">
            {showEndpoint &&
              text.parts.noticeOf(
                <Anchor component={Link} href={`/endpoints/${endpoint_id}`} inherit underline="always">
                  <EndpointName id={endpoint_id} />
                </Anchor>,
              )}
            {message}{' '}
            <Text component="span" size="xs" c="dimmed">
              <RelativeTime at={created_at} />
            </Text>
          </Text>
        </Group>
      );
    })}
  </Stack>
);

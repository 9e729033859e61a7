import { Box, Group, Text } from '@mantine/core';
import { count, percent, words } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { relativeTime } from '../../lib/time.ts';
import { colourOfUse } from '../../parts/use-colour.ts';
import type { CallerUse } from './caller-use.ts';

type Limit = CallerUse['limits'][number];

const windowOf = (seconds: number | null) => (seconds === 60 ? ' a minute' : seconds === null ? '' : ` in ${seconds} s`);

/** The share of a limit that is used now, with a mark at the highest use of the period. */
export function UseBar({ of: limit }: { of: Limit }) {
  const nowMs = useNow();
  const hasReset = limit.resets_at !== null && Date.parse(limit.resets_at) <= nowMs;
  // The window has ended since the figures were read, so nothing of it is used.
  const used = hasReset ? 0 : limit.used_now;
  const share = used === null ? 0 : Math.min(1, used / limit.limit);
  const now = used === null ? 'current use unknown' : `${count(used)} now`;
  const peak = limit.refused > 0 ? `${count(limit.refused)} refused` : `peak ${percent(limit.peak_share)}`;
  return (
    <Box>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs">
          <b>{words(limit.name)}</b>: {count(limit.limit)}
          {windowOf(limit.window_seconds)}
        </Text>
        <Text size="xs" c="dimmed">
          {now}, {peak}
        </Text>
      </Group>
      <div className="use-bar" role="img" aria-label={`${words(limit.name)}: ${now} of ${count(limit.limit)}, ${peak}`}>
        <div
          className="use-bar-now"
          style={{ width: `${share * 100}%`, background: `var(--mantine-color-${colourOfUse(share)}-6)` }}
        />
        <div
          className="use-bar-peak"
          data-full={limit.peak_share >= 1 || undefined}
          style={{ left: `${Math.min(limit.peak_share, 1) * 100}%` }}
        />
      </div>
      {limit.resets_at !== null && !hasReset && (
        <Text size="xs" c="dimmed">
          resets {relativeTime(limit.resets_at, nowMs)}
        </Text>
      )}
    </Box>
  );
}

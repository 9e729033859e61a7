import { Box, Group, Text } from '@mantine/core';
import type { paths } from '../lib/api.ts';
import { percent, words } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';
import { relativeTime } from '../lib/time.ts';
import { text } from '../texts/shared.ts';
import { Hint } from './hint.tsx';
import { colourOfUse } from './use-colour.ts';

type Limit = paths['/limits']['get']['responses'][200]['content']['application/json']['data'][number]['limits'][number];

/** The share of a limit that is used now, with a mark at the highest use of the period. */
export function UseBar({ of: limit }: { of: Limit }) {
  const nowMs = useNow();
  const hasReset = limit.resets_at !== null && Date.parse(limit.resets_at) <= nowMs;
  // The window has ended since the figures were read, so nothing of it is used.
  const used = hasReset ? 0 : limit.used_now;
  const share = used === null ? 0 : Math.min(1, used / limit.limit);
  const now = used === null ? text.limitUse.use.unknown : text.limitUse.use.now(used);
  const peak = limit.refused > 0 ? text.limitUse.refused(limit.refused) : text.limitUse.use.peak(percent(limit.peak_share));
  const name = text.limitUse.names[limit.name] ?? words(limit.name);
  return (
    <Box>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs">{text.limitUse.use.limit(<b>{name}</b>, limit.limit, limit.window_seconds)}</Text>
        <Hint size="xs">{`${now}, ${peak}`}</Hint>
      </Group>
      <div className="use-bar" role="img" aria-label={text.limitUse.use.summary(name, now, limit.limit, peak)}>
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
        <Hint size="xs">{text.limitUse.use.resets(relativeTime(limit.resets_at, nowMs))}</Hint>
      )}
    </Box>
  );
}

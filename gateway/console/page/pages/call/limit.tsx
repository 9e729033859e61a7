import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { CallDetail } from '../../lib/calls.ts';
import { linkTo } from '../../lib/filters.ts';
import { duration } from '../../lib/time.ts';
import { colourOfUse } from '../../parts/use-colour.ts';
import { text } from '../../texts/index.ts';

interface LimitProps {
  of: CallDetail['limit_state'];
  caller: string | null;
  refused: boolean;
}

/** The limit that was nearest to being exceeded, and how much of it was left after the call. */
export function Limit({ of: state, caller, refused }: LimitProps) {
  if (state === null)
    return (
      <Text size="sm" c="dimmed">
        {text.call.limit.none}
      </Text>
    );
  const { limit, remaining, resetSeconds } = state;
  const used = limit === 0 ? 1 : (limit - remaining) / limit;
  const name = text.limitUse.names[state.name] ?? state.name;
  return (
    <Stack gap={4} maw={600}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{refused ? text.call.limit.refusedBy(name) : text.call.limit.nearest(name)}</Text>
        <Text size="sm">{text.call.limit.left(remaining, limit, duration(resetSeconds * 1000))}</Text>
      </Group>
      <Progress value={used * 100} color={colourOfUse(used)} aria-label={text.call.limit.leftOf(name, remaining, limit)} />
      {caller !== null && /^(account|token):/.test(caller) && (
        <Anchor component={Link} size="sm" href={linkTo('/limits', { caller })}>
          {text.call.limit.ofCaller(caller)}
        </Anchor>
      )}
    </Stack>
  );
}

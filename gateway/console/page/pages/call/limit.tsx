import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { linkTo } from '../../lib/filters.ts';
import { count } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { colourOfUse } from '../../parts/use-colour.ts';
import type { CallDetail } from './message.ts';

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
        This call had no limit.
      </Text>
    );
  const { name, limit, remaining, resetSeconds } = state;
  const used = limit === 0 ? 1 : (limit - remaining) / limit;
  const left = `${count(remaining)} of ${count(limit)} left`;
  return (
    <Stack gap={4} maw={520}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <b>{refused ? 'Refused by the limit' : 'Nearest limit:'}</b> {name}
        </Text>
        <Text size="sm">
          {left}, resets {duration(resetSeconds * 1000)} later
        </Text>
      </Group>
      <Progress value={used * 100} color={colourOfUse(used)} aria-label={`${name}: ${left}`} />
      {caller !== null && /^(account|token):/.test(caller) && (
        <Anchor component={Link} size="sm" href={linkTo('/limits', { caller })}>
          Limits of {caller}
        </Anchor>
      )}
    </Stack>
  );
}

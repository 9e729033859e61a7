import { Group, Progress, Text } from '@mantine/core';
import type { Call } from '../../lib/calls.ts';
import { count } from '../../lib/format.ts';
import { colourOfUse } from '../../parts/use-colour.ts';

/** The calls left, after this call, of the limit that was nearest to being exceeded. */
export function LimitLeft({ of: state }: { of: Call['limit_state'] }) {
  if (state === null) return <Text size="sm">no limit</Text>;
  const used = state.limit === 0 ? 1 : (state.limit - state.remaining) / state.limit;
  return (
    <Group gap={6} wrap="nowrap" title={state.name}>
      <Progress
        value={used * 100}
        color={colourOfUse(used)}
        size="sm"
        w={32}
        aria-label={`${state.name}: ${Math.round(used * 100)} % used`}
      />
      <span>
        {count(state.remaining)} / {count(state.limit)}
      </span>
    </Group>
  );
}

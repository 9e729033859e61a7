import { Group, Progress, Text } from '@mantine/core';
import type { Call } from '../../lib/calls.ts';
import { count } from '../../lib/format.ts';
import { colourOfUse } from '../../parts/use-colour.ts';
import { text } from '../../texts/index.ts';

/** The calls left, after this call, of the limit that was nearest to being exceeded. */
export function LimitLeft({ of: state }: { of: Call['limit_state'] }) {
  if (state === null) return <Text size="sm">{text.calls.noLimit}</Text>;
  const name = text.limitUse.names[state.name] ?? state.name;
  const used = state.limit === 0 ? 1 : (state.limit - state.remaining) / state.limit;
  return (
    <Group gap={6} wrap="nowrap" title={name}>
      <Progress
        value={used * 100}
        color={colourOfUse(used)}
        size="sm"
        w={32}
        aria-label={text.calls.used(name, `${Math.round(used * 100)} %`)}
      />
      <span>{`${count(state.remaining)} / ${count(state.limit)}`}</span>
    </Group>
  );
}

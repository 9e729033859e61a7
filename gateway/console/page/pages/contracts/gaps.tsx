import { Anchor, Group, Text } from '@mantine/core';
import { api, dataOf } from '../../lib/api.ts';
import { choices, type FilterValues, labelled } from '../../lib/filters.ts';
import { serviceNames } from '../../lib/services.ts';
import { Copy } from '../../parts/code.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { type Alternative, type Gap, Register } from '../../parts/register.tsx';
import { text } from '../../texts/index.ts';

const words = text.contracts.gaps;

const filters: Filter[] = [
  { name: 'api', label: words.filters.api, kind: 'choice', choices: choices(serviceNames) },
  { name: 'status', label: words.filters.status, kind: 'choice', choices: labelled(words.status) },
];

const load = () => dataOf(api.GET('/gaps'));

const matches = (gap: Gap, { api: of = gap.api, status = gap.status }: FilterValues) => gap.api === of && gap.status === status;

const address = (
  <Anchor href="/docs/gaps" size="sm" underline="always">
    {'/docs/gaps'}
  </Anchor>
);

const found = (shown: number, all: number) => (shown === all ? words.all(all, address) : words.some(shown, all, address));

export const Gaps = () => (
  <Register queryKey={['gaps']} load={load} filters={filters} matches={matches} found={found} played={commandFor} />
);

function commandFor({ id, api: of }: Gap, { id: name }: Alternative) {
  const assumed = `${id}=${name}`;
  const command = `passerelle stub ${of} --assume ${assumed}`;
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed" className="mono">
        {command}
      </Text>
      <Copy text={command} name={words.copyCommand(assumed)} />
    </Group>
  );
}

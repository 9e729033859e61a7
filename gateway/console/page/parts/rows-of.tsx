import { Anchor, Group } from '@mantine/core';
import { Link } from 'wouter';
import { type FilterValues, linkTo } from '../lib/filters.ts';
import { text } from '../texts/index.ts';

const says = text.partners.rows;

/** Links to what belongs to an account or a user. `calls` finds its calls. */
export function RowsOf({ owner, calls }: { owner: string; calls: FilterValues }) {
  const links = [
    [says.endpoints, linkTo('/endpoints', { owner })],
    [says.deliveries, linkTo('/deliveries', { owner })],
    [says.calls, linkTo('/calls', calls)],
  ] as const;
  return (
    <Group gap="0 8px">
      {links.map(([label, href]) => (
        <Anchor key={label} component={Link} size="sm" href={href}>
          {label}
        </Anchor>
      ))}
    </Group>
  );
}

import { Group } from '@mantine/core';
import { type FilterValues, linkTo } from '../lib/filters.ts';
import { text } from '../texts/index.ts';
import { PageLink } from './page-link.tsx';

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
        <PageLink key={label} href={href}>
          {label}
        </PageLink>
      ))}
    </Group>
  );
}

import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useOverview } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, plural, words } from '../../lib/format.ts';
import { Waiting } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { useLedger } from './use-ledger.ts';

const states = ['delivered', 'pending', 'failed', 'skipped'] as const;

/** What became of every delivery ever made for this endpoint, and whether the books balance. */
export function Ledger({ id }: { id: string }) {
  const ledger = useLedger(id);
  const { data } = ledger;
  if (!data)
    return (
      <Section title="Ledger">
        {ledger.error ? <Failure error={ledger.error} retry={ledger.refetch} /> : <Waiting lines={3} />}
      </Section>
    );
  const total = states.reduce((sum, state) => sum + data.deliveries[state], 0);
  const skipped = Object.entries(data.skipped_because);
  return (
    <Section title="Ledger">
      <Stack gap="xs">
        <Text size="sm">{plural(total, 'delivery was', 'deliveries were')} made for it, and each is accounted for:</Text>
        <Group gap="md">
          {states.map((state) => (
            <Anchor
              key={state}
              component={Link}
              href={linkTo('/deliveries', { endpoint_id: id, status: state })}
              underline="hover"
            >
              <Group gap={6}>
                <Text component="span" fw={700}>
                  {count(data.deliveries[state])}
                </Text>
                <Status of={state} />
              </Group>
            </Anchor>
          ))}
        </Group>
        {skipped.length > 0 && (
          <Text size="xs" c="dimmed">
            Skipped because: {skipped.map(([reason, amount]) => `${words(reason)} ${count(amount)}`).join(', ')}.
          </Text>
        )}
        <Balance />
      </Stack>
    </Section>
  );
}

/** An event keeps how many endpoints matched, not which: so what may be missing is known for all endpoints together. */
function Balance() {
  const ledger = useOverview('hour').data?.ledger;
  if (!ledger || ledger.balanced === null || ledger.as_of === null)
    return (
      <Text size="xs" c="dimmed">
        Whether something is missing is known when the first audit is done.
      </Text>
    );
  return (
    <Text size="sm" className={ledger.balanced ? 'ink-teal' : 'ink-red'} fw={600}>
      {ledger.balanced
        ? 'The ledger balances: of all events, no delivery is missing'
        : `${plural(ledger.unaccounted ?? 0, 'delivery is', 'deliveries are')} missing from the ledger of all endpoints`}{' '}
      <Text component="span" size="xs" c="dimmed" fw={400}>
        (audited <RelativeTime at={ledger.as_of} />)
      </Text>
    </Text>
  );
}

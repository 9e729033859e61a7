import { Text } from '@mantine/core';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { Copy } from '../../parts/code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';

/** The endpoint's settings. */
export function Settings({ endpoint }: { endpoint: Endpoint }) {
  const { id, service, description, events, perimeter, max_in_flight, max_per_second, ordered } = endpoint;
  return (
    <Section title="Settings">
      <Facts
        of={[
          [
            'Id',
            <span key="id">
              <Text component="span" className="mono" inherit>
                {id}
              </Text>{' '}
              <Copy text={id} />
            </span>,
          ],
          ['Service', service],
          ['Description', description || '–'],
          ['Event types', events?.join(', ') ?? 'all of the service'],
          ['Stores or structures', perimeter?.join(', ') ?? 'all'],
          ['Concurrent attempts', max_in_flight ?? 'default'],
          ['Attempts per second', max_per_second ?? 'no limit'],
          ['In order', ordered ? 'yes, one at a time' : 'no'],
          ['Created', <Time key="created" at={endpoint.created_at} />],
          ['Changed', <Time key="changed" at={endpoint.updated_at} />],
        ]}
      />
    </Section>
  );
}

import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { text } from '../../texts/shared.ts';
import { Copy } from '../code.tsx';
import { Facts } from '../facts.tsx';
import { Section } from '../section.tsx';
import { Time } from '../time.tsx';
import { Filter } from './filter.tsx';

const labels = text.endpointParts.settings;

interface SettingsProps {
  endpoint: Omit<Endpoint, 'owner'>;
  /** Whom it belongs to, for those who see the endpoints of all. */
  owner?: ReactNode;
}

export function Settings({ endpoint, owner }: SettingsProps) {
  const { id, service, description, events, perimeter, max_in_flight, max_per_second, retry_for_hours, ordered } = endpoint;
  // Partners have one service, and cannot set how many attempts run at once.
  const isOperators = owner !== undefined;
  return (
    <Section title={labels.title}>
      <Facts
        of={[
          [
            labels.id,
            <span key="id">
              <Text component="span" className="mono" inherit>
                {id}
              </Text>{' '}
              <Copy text={id} />
            </span>,
          ],
          ...(isOperators ? [[labels.service, service] as const, [labels.owner, owner] as const] : []),
          [labels.description, description || '–'],
          [labels.types, events?.join(', ') ?? labels.allTypes],
          [labels.subjects, perimeter?.join(', ') ?? labels.allSubjects],
          [labels.credentials, credentialsOf(endpoint)],
          [labels.filter, <Filter key="filter" endpoint={endpoint} />],
          ...(isOperators ? [[labels.inFlight, max_in_flight ?? labels.defaultInFlight] as const] : []),
          [labels.perSecond, max_per_second ?? labels.unlimited],
          [labels.retryFor, retry_for_hours === null ? labels.bySchedule : labels.hours(retry_for_hours)],
          [labels.ordered, ordered ? <Order key="ordered" of={endpoint} /> : labels.notOrdered],
          ...(ordered
            ? [[text.parts.endpointForm.onDeadLetter, text.parts.endpointForm.deadLetterRules[endpoint.on_dead_letter]] as const]
            : []),
          [labels.created, <Time key="created" at={endpoint.created_at} />],
          [labels.changed, <Time key="changed" at={endpoint.updated_at} />],
        ]}
      />
    </Section>
  );
}

/** How it is ordered, with a link to what blocks the deliveries behind it. */
const Order = ({ of: { id, order_by } }: { of: Pick<Endpoint, 'id' | 'order_by'> }) => (
  <>
    {labels.orderings[order_by]}{' '}
    <Anchor component={Link} href={`/deliveries?blocking=true&endpoint_id=${id}`} inherit underline="always">
      {labels.blocking}
    </Anchor>
  </>
);

/** The names of what is sent beside the signature. Values are never shown. */
function credentialsOf({ credentials }: Pick<Endpoint, 'credentials'>): string {
  if (!credentials) return labels.noCredentials;
  const { headers, basic } = credentials;
  return [...Object.keys(headers), ...(basic ? [labels.basicAs(basic.username)] : [])].join(', ');
}

import { Alert, Group, Table, Text } from '@mantine/core';
import { answer, api } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useFilters } from '../../lib/filters.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { ConfirmButton } from '../confirm.tsx';
import { Section } from '../section.tsx';
import { RelativeTime, Time } from '../time.tsx';

type Secret = Endpoint['secrets'][number];

export const unconfirmedOf = ({ secrets }: Pick<Endpoint, 'secrets'>): Secret | undefined =>
  secrets.find(({ documented_header }) => documented_header === 'unconfirmed');

export const Secrets = ({ endpoint }: { endpoint: Pick<Endpoint, 'secrets'> }) => (
  <Section title={text.endpointParts.secrets.title}>
    <SecretTable secrets={endpoint.secrets} />
  </Section>
);

/** Which secret signs which header, since when and until when. */
export const SecretTable = ({ secrets }: Pick<Endpoint, 'secrets'>) => (
  <Table.ScrollContainer minWidth={300} type="native" tabIndex={0} role="region" aria-label={text.endpointParts.secrets.table}>
    <Table verticalSpacing={4} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.endpointParts.secrets.secret}</Table.Th>
          <Table.Th>{'webhook-signature'}</Table.Th>
          <Table.Th>{'X-SERVICE-Signature'}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {secrets.map((secret) => (
          <Table.Tr key={secret.id}>
            <Table.Td className="mono" title={secret.id}>
              {secret.id.slice(-8)}
            </Table.Td>
            <Table.Td>
              <Since at={secret.created_at} />
              <Until at={secret.expires_at} />
            </Table.Td>
            <Table.Td>
              <Documented secret={secret} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

function Documented({ secret }: { secret: Secret }) {
  const { documented_header, documented_from, expires_at } = secret;
  if (documented_header === 'ended') return <Text size="sm">{text.endpointParts.secrets.ended}</Text>;
  if (documented_header === 'signs')
    return (
      <>
        <Since at={documented_from} />
        <Until at={expires_at} orConfirmed />
      </>
    );
  return <Text size="sm">{text.endpointParts.secrets.onceConfirmed(<Time at={documented_from} />)}</Text>;
}

function Since({ at }: { at: string }) {
  return <Text size="sm">{text.endpointParts.secrets.since(<Time at={at} />)}</Text>;
}

function Until({ at, orConfirmed = false }: { at: string | null; orConfirmed?: boolean }) {
  if (at === null) return null;
  const until = orConfirmed ? text.endpointParts.secrets.untilConfirmed : text.endpointParts.secrets.until;
  return <Text size="sm">{until(<Time at={at} />)}</Text>;
}

/** A rotation that waits for its confirmation, with what can be done about it. Nothing if there is none. */
export function RotationAlert({ endpoint }: { endpoint: Endpoint }) {
  const { id, active } = endpoint;
  const [, change] = useFilters();
  const unconfirmed = unconfirmedOf(endpoint);
  const confirmation = useChange({
    run: (secret_id: string) =>
      answer(api.POST('/endpoints/{id}/confirm-secret', { params: { path: { id } }, body: { secret_id } })),
    done: text.endpointParts.rotation.confirm.done,
  });
  const cancellation = useChange({
    run: () => answer(api.POST('/endpoints/{id}/cancel-rotation', { params: { path: { id } } })),
    done: text.endpointParts.rotation.cancel.done,
  });
  if (!unconfirmed) return null;
  return (
    <Alert color="yellow" title={text.endpointParts.rotation.title}>
      <Text size="sm" mb="xs">
        {text.endpointParts.rotation.until(
          <Time at={unconfirmed.documented_from} />,
          <RelativeTime at={unconfirmed.documented_from} />,
        )}
      </Text>
      <Group gap="xs">
        <ChangeButton variant="filled" disabled={!active} onClick={() => change({ test: 'new' })}>
          {text.endpointParts.rotation.test}
        </ChangeButton>
        <ConfirmButton
          label={text.endpointParts.rotation.confirm.label}
          title={text.endpointParts.rotation.confirm.title}
          consequences={text.endpointParts.rotation.confirm.consequences}
          confirm={() => confirmation.mutate(unconfirmed.id)}
          buttonProps={{ loading: confirmation.isPending }}
        />
        <ConfirmButton
          label={text.endpointParts.rotation.cancel.label}
          title={text.endpointParts.rotation.cancel.title}
          consequences={text.endpointParts.rotation.cancel.consequences}
          confirm={() => cancellation.mutate()}
          buttonProps={{ loading: cancellation.isPending }}
        />
      </Group>
    </Alert>
  );
}

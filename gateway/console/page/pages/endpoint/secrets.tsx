import { Alert, Group, Table, Text } from '@mantine/core';
import { answer, api } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Section } from '../../parts/section.tsx';
import { RelativeTime, Time } from '../../parts/time.tsx';

type Secret = Endpoint['secrets'][number];

export const unconfirmedOf = ({ secrets }: Pick<Endpoint, 'secrets'>): Secret | undefined =>
  secrets.find(({ documented_header }) => documented_header === 'unconfirmed');

/** The secrets of the endpoint, and which header each of them signs. */
export function Secrets({ secrets }: Pick<Endpoint, 'secrets'>) {
  return (
    <Section title="Signing secrets">
      <SecretTable secrets={secrets} />
    </Section>
  );
}

/** Which secret signs which header, since when and until when. */
export function SecretTable({ secrets }: Pick<Endpoint, 'secrets'>) {
  return (
    <Table.ScrollContainer minWidth={300} type="native" tabIndex={0} role="region" aria-label="Which secret signs which header">
      <Table verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Secret</Table.Th>
            <Table.Th>webhook-signature</Table.Th>
            <Table.Th>X-SERVICE-Signature</Table.Th>
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
}

function Documented({ secret }: { secret: Secret }) {
  const { documented_header, documented_from, expires_at } = secret;
  if (documented_header === 'ended') return <Text size="sm">no</Text>;
  if (documented_header === 'signs')
    return (
      <>
        <Since at={documented_from} />
        <Until at={expires_at} orConfirmed />
      </>
    );
  return (
    <Text size="sm">
      once it is confirmed, at the latest <Time at={documented_from} />
    </Text>
  );
}

function Since({ at }: { at: string | null }) {
  if (at === null) return <Text size="sm">yes</Text>;
  return (
    <Text size="sm">
      since <Time at={at} />
    </Text>
  );
}

function Until({ at, orConfirmed = false }: { at: string | null; orConfirmed?: boolean }) {
  if (at === null) return null;
  if (orConfirmed)
    return (
      <Text size="sm">
        until the new one is confirmed, at the latest <Time at={at} />
      </Text>
    );
  return (
    <Text size="sm">
      until <Time at={at} />
    </Text>
  );
}

/** A rotation that waits for its confirmation, with what can be done about it. Nothing if there is none. */
export function RotationAlert({ endpoint, test }: { endpoint: Endpoint; test(): void }) {
  const { id, active } = endpoint;
  const unconfirmed = unconfirmedOf(endpoint);
  const confirmation = useChange({
    run: (secret_id: string) =>
      answer(api.POST('/endpoints/{id}/confirm-secret', { params: { path: { id } }, body: { secret_id } })),
    done: 'The new secret is confirmed. It signs X-SERVICE-Signature from now on.',
  });
  const cancellation = useChange({
    run: () => answer(api.POST('/endpoints/{id}/cancel-rotation', { params: { path: { id } } })),
    done: 'The new secret was withdrawn. The old one signs every header.',
  });
  if (!unconfirmed?.documented_from) return null;
  return (
    <Alert color="yellow" title="The new secret is not confirmed yet">
      <Text size="sm" mb="xs">
        X-SERVICE-Signature uses the old secret until the new one is confirmed, at the latest until{' '}
        <Time at={unconfirmed.documented_from} /> (<RelativeTime at={unconfirmed.documented_from} />
        ). Then it changes to the new secret, and the old one stops signing.
      </Text>
      <Group gap="xs">
        <ChangeButton variant="filled" disabled={!active} onClick={test}>
          Test the new secret
        </ChangeButton>
        <ConfirmButton
          label="Confirm by hand"
          title="Does the receiver know the new secret?"
          consequences={[
            'X-SERVICE-Signature uses the new secret from now on.',
            'A receiver that checks this header and does not know the new secret rejects everything from now on.',
            'webhook-signature has both signatures until the old secret ends.',
          ]}
          confirm={() => confirmation.mutate(unconfirmed.id)}
          buttonProps={{ loading: confirmation.isPending }}
        />
        <ConfirmButton
          label="Keep the old secret"
          title="Keep the old secret?"
          consequences={[
            'The new secret stops signing at once. A receiver that knows only the new one rejects everything.',
            'The old secret signs every header again, without an end.',
          ]}
          confirm={() => cancellation.mutate()}
          buttonProps={{ loading: cancellation.isPending }}
        />
      </Group>
    </Alert>
  );
}

import { Table, Text } from '@mantine/core';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useFilters } from '../../lib/filters.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { Section } from '../section.tsx';
import { Time } from '../time.tsx';

type Secret = Endpoint['secrets'][number];

/** True while an old secret still signs. */
export const isRotating = ({ secrets }: Pick<Endpoint, 'secrets'>): boolean => secrets.length > 1;

export const Secrets = ({ endpoint }: { endpoint: Pick<Endpoint, 'active' | 'secrets'> }) => (
  <Section title={text.endpointParts.secrets.title}>
    <SecretTable secrets={endpoint.secrets} />
    {isRotating(endpoint) && <TestOfNew active={endpoint.active} />}
  </Section>
);

/** Opens the test of whether the receiver knows the newest secret. */
function TestOfNew({ active }: Pick<Endpoint, 'active'>) {
  const [, change] = useFilters();
  return (
    <ChangeButton mt="xs" disabled={!active} onClick={() => change({ test: 'new' })}>
      {text.endpointParts.secrets.test}
    </ChangeButton>
  );
}

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
        {secrets.map((secret, index) => (
          <Table.Tr key={secret.id}>
            <Table.Td className="mono" title={secret.id}>
              {secret.id.slice(-8)}
            </Table.Td>
            <Table.Td>
              <Since at={secret.created_at} />
              <Until at={secret.expires_at} />
            </Table.Td>
            <Table.Td>
              <Documented secret={secret} older={secrets[index + 1]} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** The oldest secret signs the documented header, and the next one begins when it ends. */
function Documented({ secret, older }: { secret: Secret; older: Secret | undefined }) {
  return (
    <>
      {older?.expires_at ? (
        <Text size="sm">{text.endpointParts.secrets.from(<Time at={older.expires_at} />)}</Text>
      ) : (
        <Since at={secret.created_at} />
      )}
      <Until at={secret.expires_at} />
    </>
  );
}

function Since({ at }: { at: string }) {
  return <Text size="sm">{text.endpointParts.secrets.since(<Time at={at} />)}</Text>;
}

function Until({ at }: { at: string | null }) {
  return at === null ? null : <Text size="sm">{text.endpointParts.secrets.until(<Time at={at} />)}</Text>;
}

import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconMinus, IconX, type TablerIcon } from '@tabler/icons-react';
import type { paths } from '../../lib/api.ts';
import { Code } from '../../parts/code.tsx';

const titles = { body: 'Body', headers: 'Headers', secret: 'Secret' } as const;

type Diagnosis = paths['/deliveries/{id}/diagnose']['post']['responses'][200]['content']['application/json']['data'];

/** The result of the comparison: valid or not, the mistake and its fix. */
export function DiagnosisResult({ of: { genuine, verdict, finding, checked } }: { of: Diagnosis }) {
  return (
    <Alert
      variant="light"
      color={genuine ? 'teal' : 'red'}
      title={genuine ? 'The signature is valid' : 'The signature does not match'}
    >
      <Stack gap="sm">
        <Text size="sm">{verdict}</Text>
        {finding.mistakes.map(({ id, says, fix, code }) => (
          <Stack key={id} gap={4}>
            {!verdict.includes(says) && <Text size="sm">{says}</Text>}
            <Text size="sm" fw={600}>
              {fix}
            </Text>
            {code !== null && <Code title="Fix in Node.js" text={code} />}
          </Stack>
        ))}
        <Stack gap={4} role="list" aria-label="Compared">
          {checked.map(({ what, same, says }) => (
            <Group key={what} gap={6} wrap="nowrap" align="flex-start" role="listitem">
              <ComparisonIcon same={same} />
              <Text size="sm">
                <b>{titles[what]}</b>: {says}
              </Text>
            </Group>
          ))}
        </Stack>
        {genuine && !finding.replay_checked && (
          <Text size="sm" c="dimmed">
            This signature does not cover the time, so the same request could be replayed. The webhook-signature header covers it.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

const icons: readonly (readonly [boolean | null, TablerIcon, string, string])[] = [
  [true, IconCheck, 'teal', 'same'],
  [false, IconX, 'red', 'different'],
  [null, IconMinus, 'gray', 'not compared'],
];

function ComparisonIcon({ same }: { same: boolean | null }) {
  const [, Icon, colour, says] = icons.find(([known]) => known === same) ?? [null, IconMinus, 'gray', 'not compared'];
  return <Icon size={16} color={`var(--mantine-color-${colour}-6)`} role="img" aria-label={says} />;
}

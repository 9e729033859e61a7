import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconMinus, IconX, type TablerIcon } from '@tabler/icons-react';
import type { paths } from '../../lib/api.ts';
import { Code } from '../../parts/code.tsx';

const titles = { body: 'Body', headers: 'Headers', secret: 'Secret' } as const;

type Diagnosis = paths['/deliveries/{id}/diagnose']['post']['responses'][200]['content']['application/json']['data'];

/** What the signature doctor found, plainly: genuine or not, which mistake, what to do. */
export function Verdict({ of: { genuine, verdict, finding, checked } }: { of: Diagnosis }) {
  return (
    <Alert
      variant="light"
      color={genuine ? 'teal' : 'red'}
      title={genuine ? 'The signature is genuine' : 'The signature does not fit'}
    >
      <Stack gap="sm">
        <Text size="sm">{verdict}</Text>
        {finding.mistakes.map(({ id, says, fix, code }) => (
          <Stack key={id} gap={4}>
            {!verdict.includes(says) && <Text size="sm">{says}</Text>}
            <Text size="sm" fw={600}>
              {fix}
            </Text>
            {code !== null && <Code title="In Node" text={code} />}
          </Stack>
        ))}
        <Stack gap={4} role="list" aria-label="What was compared">
          {checked.map(({ what, same, says }) => (
            <Group key={what} gap={6} wrap="nowrap" align="flex-start" role="listitem">
              <Sign same={same} />
              <Text size="sm">
                <b>{titles[what]}</b>: {says}
              </Text>
            </Group>
          ))}
        </Stack>
        {genuine && !finding.replay_checked && (
          <Text size="sm" c="dimmed">
            This signature does not bind the time: the same request would pass again. The webhook-signature header does.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

const signs: readonly (readonly [boolean | null, TablerIcon, string, string])[] = [
  [true, IconCheck, 'teal', 'the same'],
  [false, IconX, 'red', 'not the same'],
  [null, IconMinus, 'gray', 'not compared'],
];

function Sign({ same }: { same: boolean | null }) {
  const [, Icon, colour, says] = signs.find(([known]) => known === same) ?? [null, IconMinus, 'gray', 'not compared'];
  return <Icon size={16} color={`var(--mantine-color-${colour}-6)`} role="img" aria-label={says} />;
}

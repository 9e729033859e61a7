import { Badge, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useFilters } from '../../lib/filters.ts';
import { duration } from '../../lib/time.ts';
import { Hint } from '../../parts/hint.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { text } from '../../texts/index.ts';
import { InteractionEntry } from './interaction.tsx';
import { outcomeColours, outcomes, type Provider, type WholeReport } from './report-types.ts';

const words = text.contracts.report;

/** A report by provider, failures first. */
export function Report({ of: { verifications } }: { of: WholeReport }) {
  const [{ outcome = '' }, change] = useFilters();
  return (
    <Stack>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={words.label}
        value={outcome}
        onChange={(value) => change({ outcome: value })}
        data={[{ value: '', label: words.all }, ...outcomes.map((each) => ({ value: each, label: words.outcome[each] }))]}
      />
      {verifications.map((provider, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change, and a provider can be in it twice.
        <ProviderReport key={index} of={provider} outcome={outcome} />
      ))}
    </Stack>
  );
}

function ProviderReport({
  of: { provider, target, durationMs, interactions, notices },
  outcome,
}: {
  of: Provider;
  outcome: string;
}) {
  const byOutcome = Map.groupBy(interactions, (interaction) => interaction.outcome);
  const shown = outcomes
    .filter((each) => outcome === '' || outcome === each)
    .flatMap((each) => (byOutcome.get(each) ?? []).map((interaction, index) => ({ key: `${each} ${index}`, interaction })));
  return (
    <Paper withBorder p="md" component="section" aria-label={provider}>
      <Group gap="sm" mb="xs">
        <Title order={2} size="h4">
          {provider}
        </Title>
        {outcomes.map((each) => {
          const amount = byOutcome.get(each)?.length ?? 0;
          if (amount === 0) return null;
          return (
            <Badge key={each} color={outcomeColours[each]}>
              {words.outcomes[each](amount)}
            </Badge>
          );
        })}
        <Hint size="xs">
          {target.kind === 'address' ? words.address(target.url, duration(durationMs)) : words.reference(duration(durationMs))}
        </Hint>
      </Group>
      {notices.map((notice) => (
        <Text key={notice} size="xs" c="dimmed" className="break-anywhere">
          <ServerText>{notice}</ServerText>
        </Text>
      ))}
      {shown.length === 0 && <Hint>{words.none}</Hint>}
      {shown.map(({ key, interaction }) => (
        <InteractionEntry key={key} of={interaction} />
      ))}
    </Paper>
  );
}

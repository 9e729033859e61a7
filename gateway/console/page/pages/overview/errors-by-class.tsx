import { Box, Group, Progress, Stack, Text } from '@mantine/core';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count } from '../../lib/format.ts';
import { titleOfReason } from '../../lib/reasons.ts';
import { Hint } from '../../parts/hint.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';

/** Why attempts failed, most frequent first. */
export function ErrorsByClass({ overview }: { overview: Overview }) {
  const { attempts, period } = overview;
  const { words, since } = periods[period.name];
  const errors = attempts.by_outcome.filter(({ outcome, count: amount }) => outcome !== 'success' && amount > 0);
  const most = Math.max(1, ...errors.map((error) => error.count));
  return (
    <Section title={text.overview.errors.title}>
      {errors.length === 0 ? (
        <Hint>{text.overview.errors.none(words)}</Hint>
      ) : (
        <Stack gap="xs">
          {errors.map(({ outcome, count: amount }) => (
            <Box key={outcome}>
              <Group justify="space-between" wrap="nowrap">
                <PageLink href={linkTo('/deliveries', { reason: outcome, since })}>
                  {titleOfReason(outcome)}
                  {statusesNow(overview, outcome)}
                </PageLink>
                <Text size="sm">{count(amount)}</Text>
              </Group>
              <Progress value={(amount / most) * 100} color="red" size="sm" aria-label={text.overview.errors.attempts(amount)} />
            </Box>
          ))}
        </Stack>
      )}
    </Section>
  );
}

/** The statuses that endpoints answer now, which the figures of a period do not tell apart. */
function statusesNow({ endpoints }: Overview, outcome: string): string {
  const failures = endpoints.in_trouble.flatMap(({ last_failure: last }) => (last?.outcome === outcome ? last : []));
  const statuses = [...new Set(failures.flatMap(({ response_status: status }) => status ?? []))].sort();
  return statuses.length === 0 ? '' : text.overview.errors.now(statuses.join(', '));
}

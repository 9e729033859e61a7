import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count } from '../../lib/format.ts';
import { Hint } from '../../parts/hint.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';

/** The callers with the most calls refused by a limit. */
export function RefusalsByLimit({ overview: { limits, period } }: { overview: Overview }) {
  const { words, since } = periods[period.name];
  return (
    <Section
      title={text.overview.refusals.title}
      beside={
        <PageLink href={linkTo('/limits', { period: period.name === 'hour' ? undefined : period.name })} size="xs">
          {text.overview.refusals.allLimits}
        </PageLink>
      }
    >
      {limits.top.length === 0 ? (
        <Hint>{text.overview.refusals.none(words)}</Hint>
      ) : (
        <Stack gap={6}>
          {limits.top.map(({ caller, name, limit, refused }) => (
            <Group key={`${caller} ${limit}`} justify="space-between" wrap="nowrap">
              <Text size="sm" className="break-anywhere">
                <Anchor
                  component={Link}
                  href={linkTo('/calls', { caller, limited: 'true', since })}
                  inherit
                  underline="always"
                  title={caller}
                >
                  {name ?? caller}
                </Anchor>{' '}
                <Text component="span" size="xs" c="dimmed">
                  {limit}
                </Text>
              </Text>
              <Text size="sm">{count(refused)}</Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}

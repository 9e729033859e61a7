import { Anchor, Badge, Group, Paper, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, plural, shortCaller } from '../../lib/format.ts';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Status } from '../../parts/status.tsx';
import type { CallerUse } from './caller-use.ts';
import { OverTime } from './over-time.tsx';
import { UseBar } from './use-bar.tsx';

interface CallerRowProps {
  of: CallerUse;
  period: Period;
  open: boolean;
  toggle(): void;
}

/** One account or token: how it stands now, how it went, and on demand the whole picture over time. */
export function CallerRow({ of: use, period, open, toggle }: CallerRowProps) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const { caller, name, plan, state, series } = use;
  const since = periods[period].since;
  return (
    <Paper component="li" withBorder p="sm">
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm" verticalSpacing="xs">
        <UnstyledButton onClick={toggle} aria-expanded={open} miw={0}>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Chevron size={18} aria-hidden />
            <Stack gap={2} miw={0}>
              <Text size="sm" fw={600} className="break-anywhere">
                {name ?? 'not there any more'}
              </Text>
              <Group gap={6}>
                <Text size="xs" c="dimmed" title={caller}>
                  {shortCaller(caller)}
                </Text>
                {plan !== null && (
                  <Badge size="xs" variant="default">
                    {plan}
                  </Badge>
                )}
                <Status of={state} size="xs" />
              </Group>
            </Stack>
          </Group>
        </UnstyledButton>
        <Stack gap={6}>
          {use.limits.map((limit) => (
            <UseBar key={limit.name} of={limit} />
          ))}
          {use.limits.length === 0 && (
            <Text size="sm" c="dimmed">
              No limit counted its calls.
            </Text>
          )}
        </Stack>
        <Group gap="sm" justify="space-between" wrap="nowrap">
          <Sparkline
            summary={`Calls of ${caller} ${periods[period].words}; those refused in red`}
            good={series.map(({ calls, refused }) => calls - refused)}
            bad={series.map(({ refused }) => refused)}
          />
          <Stack gap={2} align="flex-end">
            <Anchor component={Link} size="sm" href={linkTo('/calls', { caller, since })}>
              {plural(use.calls, 'call')}
            </Anchor>
            {use.refused > 0 && (
              <Anchor component={Link} size="sm" c="red" href={linkTo('/calls', { caller, since, limited: 'true' })}>
                {count(use.refused)} refused
              </Anchor>
            )}
          </Stack>
        </Group>
      </SimpleGrid>
      {open && <OverTime of={use} period={period} />}
    </Paper>
  );
}

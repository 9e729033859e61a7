import { Badge, Group, Paper, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { shortCaller } from '../../lib/format.ts';
import { Hint } from '../../parts/hint.tsx';
import { IconChevronDown, IconChevronRight } from '../../parts/icons/tabler.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Status } from '../../parts/status.tsx';
import { UseBar } from '../../parts/use-bar.tsx';
import { text } from '../../texts/index.ts';
import type { CallerUse } from './caller-use.ts';
import { OverTime } from './over-time.tsx';

/** One account or token: its use of limits now, its calls over the period, and charts when opened. */
export function CallerRow({ of: use, period, open, toggle }: { of: CallerUse; period: Period; open: boolean; toggle(): void }) {
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
                {name ?? text.limits.deleted}
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
                <Status of={state} />
              </Group>
            </Stack>
          </Group>
        </UnstyledButton>
        <Stack gap={6}>
          {use.limits.map((limit) => (
            <UseBar key={limit.name} of={limit} />
          ))}
          {use.limits.length === 0 && <Hint>{text.limits.noLimit}</Hint>}
        </Stack>
        <Group gap="sm" justify="space-between" wrap="nowrap">
          <Sparkline
            summary={text.limits.sparkline(caller, periods[period].words)}
            succeeded={series.map(({ calls, refused }) => calls - refused)}
            failed={series.map(({ refused }) => refused)}
          />
          <Stack gap={2} align="flex-end">
            <PageLink href={linkTo('/calls', { caller, since })}>{text.limits.calls(use.calls)}</PageLink>
            {use.refused > 0 && (
              <PageLink c="red" href={linkTo('/calls', { caller, since, limited: 'true' })}>
                {text.limitUse.refused(use.refused)}
              </PageLink>
            )}
          </Stack>
        </Group>
      </SimpleGrid>
      {open && <OverTime of={use} period={period} />}
    </Paper>
  );
}

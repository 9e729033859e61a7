import { Anchor, Paper, Stack, Text, ThemeIcon, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api, dataOf } from '../../lib/api.ts';
import type { Overview } from '../../lib/figures.ts';
import { Code } from '../../parts/code.tsx';
import { Hint } from '../../parts/hint.tsx';
import { IconCheck } from '../../parts/icons/tabler.ts';
import { text } from '../../texts/index.ts';

const says = text.overview.firstSteps;

/** Returns true if nothing was ever delivered. Asks the API only if the figures cannot tell. */
export function useIsFresh(overview: Overview | undefined): boolean {
  const quiet = overview !== undefined && overview.attempts.total === 0 && overview.deliveries.pending === 0;
  const first = useQuery({
    queryKey: ['overview', 'first delivery'],
    queryFn: async () => (await dataOf(api.GET('/deliveries', { params: { query: { limit: 1 } } }))).length > 0,
    enabled: quiet,
    refetchInterval: 5000,
  });
  return quiet && first.data === false;
}

export function FirstSteps({ overview: { endpoints, calls } }: { overview: Overview }) {
  const steps: { title: string; done: boolean; how: ReactNode }[] = [
    {
      title: says.endpoint,
      done: endpoints.total > 0,
      how: (
        <>
          {says.endpointHow}{' '}
          <Anchor component={Link} href="/endpoints?new=1" inherit underline="always">
            {says.newEndpoint}
          </Anchor>
        </>
      ),
    },
    {
      title: says.test,
      done: false,
      how: (
        <>
          {says.testHow}{' '}
          <Anchor component={Link} href="/endpoints" inherit underline="always">
            {says.endpoints}
          </Anchor>
        </>
      ),
    },
    { title: says.call, done: calls.total > 0, how: <FirstCall /> },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Paper withBorder p="md" component="section" aria-label={says.label}>
      <Stack>
        <div>
          <Title order={2} size="h5">
            {says.title}
          </Title>
          <Hint>{says.intro}</Hint>
        </div>
        <Timeline active={next === -1 ? steps.length : next - 1} bulletSize={22} lineWidth={2}>
          {steps.map(({ title, done, how }, index) => (
            <Timeline.Item
              key={title}
              title={title}
              bullet={
                done ? (
                  <ThemeIcon size={20} radius="xl" color="teal" aria-label={says.done}>
                    <IconCheck size={13} />
                  </ThemeIcon>
                ) : (
                  <Text size="xs">{index + 1}</Text>
                )
              }
            >
              <Text size="sm" component="div">
                {how}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      </Stack>
    </Paper>
  );
}

function FirstCall() {
  const curl = `curl -s ${location.origin}/pos/api/auth \\
  -H 'Content-Type: application/json' \\
  -d '{"api_key": "…", "api_secret": "…"}'`;
  return (
    <Stack gap="xs">
      <span>
        {says.callHow(
          (label) => (
            <Anchor component={Link} href="/back-office" inherit underline="always">
              {label}
            </Anchor>
          ),
          (label) => (
            <Anchor href="/docs" target="_blank" inherit underline="always">
              {label}
            </Anchor>
          ),
        )}
      </span>
      <Code title={says.token} text={curl} />
    </Stack>
  );
}

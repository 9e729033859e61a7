import { Anchor, Paper, Stack, Text, ThemeIcon, Timeline, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import type { Overview } from '../../lib/figures.ts';
import { Code } from '../../parts/code.tsx';

/** Returns true if nothing was ever delivered. Asks the API only if the figures cannot tell. */
export function useIsFresh(overview: Overview | undefined): boolean {
  const quiet = overview !== undefined && overview.attempts.total === 0 && overview.deliveries.pending === 0;
  const first = useQuery({
    queryKey: ['overview', 'first delivery'],
    queryFn: async () => (await answer(api.GET('/deliveries', { params: { query: { limit: 1 } } }))).data.length > 0,
    enabled: quiet,
    refetchInterval: 5000,
  });
  return quiet && first.data === false;
}

interface Step {
  title: string;
  done: boolean;
  how: ReactNode;
}

/** The first steps with a new gateway. */
export function FirstSteps({ overview: { endpoints, calls } }: { overview: Overview }) {
  const called = calls.by_api.some(({ api: name, total }) => (name === 'pos' || name === 'cohesion') && total > 0);
  const steps: Step[] = [
    {
      title: 'Create an endpoint',
      done: endpoints.total > 0,
      how: (
        <>
          A URL of yours that receives events as signed webhooks.{' '}
          <Anchor component={Link} href="/endpoints?new=1" inherit underline="always">
            New endpoint
          </Anchor>
        </>
      ),
    },
    {
      title: 'Send it a test event',
      done: false,
      how: (
        <>
          Use the button on the endpoint's page. It shows at once how the receiver answers.{' '}
          <Anchor component={Link} href="/endpoints" inherit underline="always">
            Endpoints
          </Anchor>
        </>
      ),
    },
    { title: 'Make a call', done: called, how: <FirstCall /> },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Paper withBorder p="md" component="section" aria-label="First steps">
      <Stack>
        <div>
          <Title order={2} size="h5">
            Nothing has been delivered yet
          </Title>
          <Text size="sm" c="dimmed">
            Nothing is wrong. Take these three steps to see figures here:
          </Text>
        </div>
        <Timeline active={next === -1 ? steps.length : next - 1} bulletSize={22} lineWidth={2}>
          {steps.map(({ title, done, how }, index) => (
            <Timeline.Item
              key={title}
              title={title}
              bullet={
                done ? (
                  <ThemeIcon size={20} radius="xl" color="teal" aria-label="done">
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
        Use an account's API key. Accounts are under{' '}
        <Anchor component={Link} href="/back-office" inherit underline="always">
          Back office
        </Anchor>
        ; with demo data, the startup message shows a key. Every operation is in the{' '}
        <Anchor href="/docs" target="_blank" inherit underline="always">
          OpenAPI documents
        </Anchor>
        . A sale, for example, creates an event, which is sent to the endpoint.
      </span>
      <Code title="Get a token for an account" text={curl} />
    </Stack>
  );
}

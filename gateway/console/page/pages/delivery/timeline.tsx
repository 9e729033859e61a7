import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Reason } from '../../lib/reasons.ts';
import { duration } from '../../lib/time.ts';
import { HttpStatus, Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Countdown } from './countdown.tsx';
import { type Attempt, attemptLink, type Pause, pauseBefore, type Story, whyNext } from './delivery.ts';
import { AttemptBar, Legend } from './waterfall.tsx';

interface TimelineProps {
  story: Story;
  opened: Attempt | undefined;
  reason: Reason | undefined;
  /** What keeps its endpoint from being sent anything. */
  endpointSays: string | null;
  titleOf(reason: string): string;
}

/** The life of a delivery: its event, each attempt with the wait before it, and how it ended or what comes next. */
export function Timeline({ story, opened, reason, endpointSays, titleOf }: TimelineProps) {
  const { attempts_made: attempts, event, created_at } = story;
  const longestMs = Math.max(...attempts.map(({ timings }) => timings.total ?? 0));
  const bornAt = event?.created_at ?? created_at;
  const gone = (attempts[0]?.number ?? 1) - 1;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Its life
          </Title>
          <Legend attempts={attempts} />
        </Group>
        <ol className="life">
          <Moment colour="gray">
            <Line at={bornAt}>
              <Text size="sm" fw={600} className="break-anywhere">
                {story.event_type} happened
              </Text>
            </Line>
          </Moment>
          {gone > 0 && (
            <Moment colour="gray">
              <Text size="sm" c="dimmed">
                Attempts 1 to {gone}: their evidence is not kept any more.
              </Text>
            </Moment>
          )}
          {attempts.map((attempt, index) => {
            const before = attempts[index - 1];
            const pause = before || gone === 0 ? pauseBefore(attempt, before, bornAt) : null;
            return (
              <Fragment key={attempt.id}>
                {pause && <Wait {...pause} />}
                <Moment colour={attempt.outcome === 'success' ? 'teal' : 'red'}>
                  <AttemptLine
                    story={story}
                    attempt={attempt}
                    opened={attempt === opened}
                    longestMs={longestMs}
                    titleOf={titleOf}
                  />
                </Moment>
              </Fragment>
            );
          })}
          <End story={story} reason={reason} endpointSays={endpointSays} />
        </ol>
      </Stack>
    </Paper>
  );
}

const Moment = ({ colour, children }: { colour: string; children: ReactNode }) => <li data-colour={colour}>{children}</li>;

function Line({ at, children }: { at: string | null; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
      {children}
      {at !== null && (
        <Text size="xs" c="dimmed" className="nowrap" component="span" pt={2}>
          <Time at={at} />
        </Text>
      )}
    </Group>
  );
}

function Wait({ ms, why }: Pause) {
  return (
    <li data-wait>
      <Text size="xs" c="dimmed">
        waited {duration(ms)}
        {why !== null && ` · ${why}`}
      </Text>
    </li>
  );
}

interface AttemptLineProps {
  story: Story;
  attempt: Attempt;
  opened: boolean;
  longestMs: number;
  titleOf(reason: string): string;
}

function AttemptLine({ story, attempt, opened, longestMs, titleOf }: AttemptLineProps) {
  const { number, outcome, response_status, manual, started_at, timings } = attempt;
  return (
    <Link href={attemptLink(story, number)} replace className="life-attempt" aria-current={opened || undefined}>
      <Line at={started_at}>
        <Group gap={6}>
          <Text size="sm" fw={600} component="span">
            Attempt {number}
          </Text>
          {response_status !== null && <HttpStatus status={response_status} />}
          <Text size="sm" component="span">
            {outcome === 'success' ? 'received' : titleOf(outcome)}
          </Text>
          {manual && (
            <Badge size="xs" variant="light" color="blue" tt="none">
              by an operator
            </Badge>
          )}
        </Group>
      </Line>
      <Group gap="xs" wrap="nowrap">
        <AttemptBar attempt={attempt} longestMs={longestMs} />
        <Text size="xs" className="life-ms" component="span">
          {timings.total === undefined ? '–' : duration(timings.total)}
        </Text>
      </Group>
    </Link>
  );
}

/** How it ended, or what comes next and why then. */
function End({ story, reason, endpointSays }: Pick<TimelineProps, 'story' | 'reason' | 'endpointSays'>) {
  const { status, next_attempt_at, updated_at, attempts_made, waits_for } = story;
  const last = attempts_made.at(-1);
  if (status === 'pending') {
    const why = whyNext(story, endpointSays, reason?.kind === 'operator' ? reason.meaning : undefined);
    return (
      <Moment colour="blue">
        <Line at={waits_for === 'turn' ? null : next_attempt_at}>
          <Text size="sm" fw={600}>
            Next attempt {waits_for === 'turn' ? 'when it is its turn' : <Countdown at={next_attempt_at} />}
          </Text>
        </Line>
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      </Moment>
    );
  }
  const why = { delivered: null, failed: last?.next_attempt_why ?? null, skipped: reason?.meaning ?? null }[status];
  return (
    <Moment colour={{ delivered: 'teal', failed: 'red', skipped: 'gray' }[status]}>
      <Line at={updated_at}>
        <Status of={status} />
      </Line>
      <Text size="xs" c="dimmed">
        {why}
        {status !== 'delivered' && ' No attempt follows by itself.'}
      </Text>
    </Moment>
  );
}

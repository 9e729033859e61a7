import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { type Reason, titleOfReason } from '../../lib/reasons.ts';
import { duration } from '../../lib/time.ts';
import { useWhy } from '../../lib/why.ts';
import { text } from '../../texts/shared.ts';
import { Hint } from '../hint.tsx';
import { HttpStatus, Status } from '../status.tsx';
import { Time } from '../time.tsx';
import { Countdown } from './countdown.tsx';
import {
  type Attempt,
  attemptLink,
  type Delivery,
  nextAttemptAt,
  nextAttemptReason,
  type Wait,
  waitBefore,
  whyNext,
} from './delivery.ts';
import { AttemptBar, Legend } from './waterfall.tsx';

const says = text.delivery.timeline;

interface TimelineProps {
  delivery: Delivery;
  selected: Attempt | undefined;
  reason: Reason | undefined;
}

/** The timeline of a delivery: its event, each attempt with the wait before it, and its end or its next attempt. */
export function Timeline({ delivery, selected, reason }: TimelineProps) {
  const { attempts_made: attempts, event, created_at } = delivery;
  const longestMs = Math.max(...attempts.map(({ timings }) => timings.total ?? 0));
  const createdAt = event?.created_at ?? created_at;
  const deletedCount = (attempts[0]?.number ?? 1) - 1;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {says.title}
          </Title>
          <Legend attempts={attempts} />
        </Group>
        <ol className="timeline">
          <TimelineItem colour="gray">
            <Line at={createdAt}>
              <Text size="sm" fw={600} className="break-anywhere">
                {says.happened(delivery.event_type)}
              </Text>
            </Line>
          </TimelineItem>
          {deletedCount > 0 && (
            <TimelineItem colour="gray">
              <Hint>{says.notKept(deletedCount)}</Hint>
            </TimelineItem>
          )}
          {attempts.map((attempt, index) => {
            const before = attempts[index - 1];
            const wait = before || deletedCount === 0 ? waitBefore(attempt, before, delivery) : null;
            return (
              <Fragment key={attempt.id}>
                {wait && <WaitItem {...wait} />}
                <TimelineItem colour={attempt.outcome === 'success' ? 'teal' : 'red'}>
                  <AttemptLine delivery={delivery} attempt={attempt} selected={attempt === selected} longestMs={longestMs} />
                </TimelineItem>
              </Fragment>
            );
          })}
          <LastItem delivery={delivery} reason={reason} />
        </ol>
      </Stack>
    </Paper>
  );
}

const TimelineItem = ({ colour, children }: { colour: string; children: ReactNode }) => <li data-colour={colour}>{children}</li>;

const Line = ({ at, children }: { at: string | null; children: ReactNode }) => (
  <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
    {children}
    {at !== null && (
      <Text size="xs" c="dimmed" className="nowrap" component="span" pt={2}>
        <Time at={at} />
      </Text>
    )}
  </Group>
);

const WaitItem = ({ ms, why }: Wait) => (
  <li data-wait>
    <Hint size="xs">{why === null ? says.waited(duration(ms)) : says.waitedBecause(duration(ms), why)}</Hint>
  </li>
);

interface AttemptLineProps {
  delivery: Delivery;
  attempt: Attempt;
  selected: boolean;
  longestMs: number;
}

function AttemptLine({ delivery, attempt, selected, longestMs }: AttemptLineProps) {
  const { number, outcome, response_status, manual, started_at, timings } = attempt;
  return (
    <Link href={attemptLink(delivery, number)} replace className="timeline-attempt" aria-current={selected || undefined}>
      <Line at={started_at}>
        <Group gap={6}>
          <Text size="sm" fw={600} component="span">
            {text.delivery.attempt(number)}
          </Text>
          {response_status !== null && <HttpStatus status={response_status} />}
          <Text size="sm" component="span">
            {outcome === 'success' ? says.delivered : titleOfReason(outcome, response_status)}
          </Text>
          {manual && <Badge size="xs">{says.manual}</Badge>}
        </Group>
      </Line>
      <Group gap="xs" wrap="nowrap">
        <AttemptBar attempt={attempt} longestMs={longestMs} />
        <Text size="xs" className="timeline-ms" component="span">
          {timings.total === undefined ? '–' : duration(timings.total)}
        </Text>
      </Group>
    </Link>
  );
}

function LastItem({ delivery, reason }: Pick<TimelineProps, 'delivery' | 'reason'>) {
  const sayWhy = useWhy();
  const { status, updated_at, attempts_made } = delivery;
  const last = attempts_made.at(-1);
  if (status === 'pending') {
    const why = nextAttemptReason(
      delivery,
      delivery.cause && sayWhy(delivery.cause),
      reason?.kind === 'operator' ? reason.meaning : undefined,
    );
    const at = nextAttemptAt(delivery);
    return (
      <TimelineItem colour="yellow">
        <Line at={at}>
          <Text size="sm" fw={600}>
            {at === null ? says.nextAttemptInTurn : says.nextAttempt(<Countdown at={at} />)}
          </Text>
        </Line>
        <Hint size="xs">{why}</Hint>
      </TimelineItem>
    );
  }
  const why = { delivered: null, failed: last ? whyNext(last) : null, skipped: reason?.meaning ?? null }[status];
  return (
    <TimelineItem colour={{ delivered: 'teal', failed: 'red', skipped: 'gray' }[status]}>
      <Line at={updated_at}>
        <Status of={status} />
      </Line>
      <Hint size="xs">
        {why} {status !== 'delivered' && says.notRetried}
      </Hint>
    </TimelineItem>
  );
}

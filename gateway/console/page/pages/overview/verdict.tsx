import { Alert, Anchor, Box, Group, List, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ApiError } from '../../lib/api.ts';
import type { Overview } from '../../lib/figures.ts';
import { duration } from '../../lib/time.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { IconAlertTriangle, IconCircleCheck, IconRotateClockwise } from '../../parts/icons/tabler.ts';
import { Failure } from '../../parts/problem.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { Why } from '../../parts/why.tsx';
import { text } from '../../texts/index.ts';
import { countUpTo, hrefOf, type OverviewProblem } from './problems.ts';

interface VerdictProps {
  overview: Overview;
  /** Opens the retry of everything that is owed; undefined if nothing is. */
  retry: (() => void) | undefined;
}

const colours = { error: 'red', warning: 'yellow', ok: 'teal' } as const;

/** Whether all is well, or everything that is wrong, most urgent first. The gateway decides what to say. */
export function Verdict({ overview, retry }: VerdictProps) {
  const { state, problems } = overview.verdict;
  const first = state === 'ok' ? undefined : problems[0];
  const others = first ? problems.slice(1) : problems;
  return (
    <Alert color={colours[state]} icon={state === 'ok' ? <IconCircleCheck /> : <IconAlertTriangle />} role="status">
      <Stack gap={6} align="flex-start">
        {first ? (
          <Box>
            <ProblemLink overview={overview} problem={first} isFirst />
            <Details overview={overview} problem={first} />
          </Box>
        ) : (
          <Text fw={600}>{overview.verdict.text}</Text>
        )}
        {others.length > 0 && (
          <List size="sm">
            {others.map((problem) => (
              <List.Item key={`${problem.case} ${problem.endpoints[0]?.id}`}>
                <ProblemLink overview={overview} problem={problem} />
                <Details overview={overview} problem={problem} />
              </List.Item>
            ))}
          </List>
        )}
        {retry && (
          <ChangeButton leftSection={<IconRotateClockwise size={14} aria-hidden />} onClick={retry}>
            {text.overview.retryNow}
          </ChangeButton>
        )}
      </Stack>
    </Alert>
  );
}

interface PartProps {
  overview: Overview;
  problem: OverviewProblem;
}

function ProblemLink({ overview, problem, isFirst = false }: PartProps & { isFirst?: boolean }) {
  const look = isFirst ? { fw: 600 } : { size: 'sm' };
  return (
    <Anchor component={Link} href={hrefOf(problem, overview)} c="inherit" underline="always" className="break-anywhere" {...look}>
      {problem.cause ? <Why of={problem.cause} /> : problem.text}
    </Anchor>
  );
}

/** Since when, and how many deliveries have not arrived. */
function Details({ overview, problem: { since, owed } }: PartProps) {
  if (since === null && !owed) return null;
  return (
    <Group gap="md" style={{ rowGap: 2 }}>
      {since !== null && (
        <Text size="sm" c="inherit">
          {text.overview.since(<RelativeTime at={since} />)}
        </Text>
      )}
      {Boolean(owed) && (
        <Text size="sm" c="inherit">
          {text.overview.deliveriesOwed(countUpTo(owed ?? 0, overview.deliveries.counted_to))}
        </Text>
      )}
    </Group>
  );
}

/** What is shown instead of a verdict while the figures cannot be read: older ones must not say that all is well. */
export function NoVerdict({ error, retry }: { error: Error; retry(): unknown }) {
  if (!(error instanceof ApiError) || error.status !== 503) return <Failure error={error} retry={retry} />;
  return <Alarm>{text.overview.storeDown}</Alarm>;
}

export const WrongClock = ({ clock: { wrong, ahead_seconds } }: Pick<Overview, 'clock'>) =>
  wrong && <Alarm>{text.overview.clockWrong(duration(Math.abs(ahead_seconds) * 1000))}</Alarm>;

const Alarm = ({ children }: { children: string }) => (
  <Alert color="red" icon={<IconAlertTriangle />} role="status">
    <Text fw={600}>{children}</Text>
  </Alert>
);

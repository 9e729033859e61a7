import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Overview } from '../../lib/figures.ts';
import type { DeadLetters } from './dead-letters.ts';
import { allWellText, problemsOf } from './problems.ts';

/** One sentence if all is well, or everything that is wrong, most urgent first. */
export function Verdict({ overview, dead }: { overview: Overview; dead: DeadLetters | undefined }) {
  const problems = problemsOf(overview, dead);
  const [first, ...others] = problems;
  if (!first)
    return (
      <Alert color="teal" variant="light" icon={<IconCircleCheck />} role="status">
        <Text fw={600}>{allWellText(overview)}.</Text>
      </Alert>
    );
  return (
    <Alert
      color={problems.some(({ tone }) => tone === 'error') ? 'red' : 'yellow'}
      variant="light"
      icon={<IconAlertTriangle />}
      role="status"
    >
      <Anchor component={Link} href={first.href} fw={600} c="inherit" underline="always">
        {first.text}.
      </Anchor>
      {others.length > 0 && (
        <List size="sm" mt={6}>
          {others.map(({ text, href }) => (
            <List.Item key={text}>
              <Anchor component={Link} href={href} size="sm" c="inherit" underline="always">
                {text}
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

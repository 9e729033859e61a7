import { Alert, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useSession } from '../../lib/session.ts';
import { Frame } from '../../parts/frame.tsx';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { text } from '../../texts/index.ts';
import { operatorsSeenBy } from './operators.tsx';

const { title, builtIn } = text.operators;
/** The name of the operator whose token is a setting, as the audit trail records it. */
const builtInName = 'operator';

/** The operators and viewers of the console and the manage API. */
export default function Operators() {
  const { operator } = useSession();
  const resource = useMemo(() => operatorsSeenBy(operator.id), [operator.id]);
  return (
    <Frame title={title}>
      <Alert title={builtIn.title}>
        <Text size="sm">
          {builtIn.text(<b>{builtInName}</b>)} {operator.id === null && `${builtIn.isYou} `}
          {builtIn.advice}
        </Text>
      </Alert>
      <ResourceList resource={resource} path="/operators" />
    </Frame>
  );
}

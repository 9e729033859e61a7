import { Alert, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useSession } from '../../lib/session.ts';
import { Frame } from '../../parts/frame.tsx';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { operatorsSeenBy } from './operators.tsx';

/** Who may use the console and its API. */
export default function Operators() {
  const { operator } = useSession();
  const resource = useMemo(() => operatorsSeenBy(operator.id), [operator.id]);
  return (
    <Frame title="Operators">
      <Alert color="blue" variant="light" title="The installation's own operator is not in this list">
        <Text size="sm">
          Its credential is the token that the gateway printed at its first start, or the setting OPERATOR_TOKEN: it always works,
          so that nobody can lock themselves out. In records it is called <b>operator</b>.
          {operator.id === null && ' You are signed in with it.'} Give each person a credential of their own instead: records then
          say who did what, and it can be taken away.
        </Text>
      </Alert>
      <ResourceList resource={resource} path="/operators" />
    </Frame>
  );
}

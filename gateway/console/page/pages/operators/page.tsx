import { Alert, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useSession } from '../../lib/session.ts';
import { Frame } from '../../parts/frame.tsx';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { operatorsSeenBy } from './operators.tsx';

/** The operators and viewers of the console and the manage API. */
export default function Operators() {
  const { operator } = useSession();
  const resource = useMemo(() => operatorsSeenBy(operator.id), [operator.id]);
  return (
    <Frame title="Operators">
      <Alert color="blue" variant="light" title="The built-in operator is not in this list">
        <Text size="sm">
          Its credential is the token that the gateway printed at its first start, or the setting OPERATOR_TOKEN. It always works,
          so nobody can be locked out. Records call it <b>operator</b>.{operator.id === null && ' You are signed in with it.'}{' '}
          Give each person their own credential instead: records then show who did what, and you can deactivate it.
        </Text>
      </Alert>
      <ResourceList resource={resource} path="/operators" />
    </Frame>
  );
}

import { Badge, Box, type MantineColor, Text, Tooltip } from '@mantine/core';
import { type Endpoint, type EndpointState, stateOf } from '../../lib/endpoint-state.ts';
import { text } from '../../texts/shared.ts';
import { RelativeTime } from '../time.tsx';

const colours: Readonly<Record<EndpointState['word'], MantineColor>> = {
  active: 'teal',
  failing: 'red',
  held: 'red',
  probing: 'yellow',
  paused: 'gray',
  disabled: 'red',
  unverified: 'yellow',
};

export function StateBadge({ of: { word } }: { of: EndpointState }) {
  return (
    <Badge variant="dot" color={colours[word]} className="keep-size">
      {text.parts.endpointState[word]}
    </Badge>
  );
}

/** The state of an endpoint with its reason, or when it is tried again. */
export function EndpointStateCell({ endpoint }: { endpoint: Endpoint }) {
  const state = stateOf(endpoint);
  return (
    <Box lh={1.25}>
      <StateBadge of={state} />
      {(state.until ?? state.why) !== null && (
        <Tooltip label={state.why ?? ''} disabled={state.why === null}>
          <Text size="xs" c="dimmed" truncate lh={1.25}>
            {state.until === null ? state.why : text.parts.nextTry(<RelativeTime at={state.until} />)}
          </Text>
        </Tooltip>
      )}
    </Box>
  );
}

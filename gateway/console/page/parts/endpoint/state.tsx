import { Badge, type MantineColor } from '@mantine/core';
import { type Endpoint, type EndpointState, stateOf } from '../../lib/endpoint-state.ts';
import { failureWords, useWhy } from '../../lib/why.ts';
import { text } from '../../texts/shared.ts';
import { NextTry } from '../time.tsx';
import { TwoLines } from '../two-lines.tsx';

const colours: Readonly<Record<EndpointState['word'], MantineColor>> = {
  active: 'teal',
  failing: 'red',
  blocked: 'red',
  held: 'red',
  probing: 'yellow',
  paused: 'gray',
  disabled: 'red',
  unverified: 'yellow',
};

export const StateBadge = ({ of: { word } }: { of: EndpointState }) => (
  <Badge variant="dot" color={colours[word]} className="keep-size">
    {text.parts.endpointState[word]}
  </Badge>
);

/** The state of an endpoint, when it is tried again, and the reason. The tooltip is the reason in a sentence. */
export function EndpointStateCell({ endpoint }: { endpoint: Endpoint }) {
  const say = useWhy();
  const state = stateOf(endpoint);
  const { cause } = endpoint;
  return (
    <TwoLines
      main={
        <>
          <StateBadge of={state} />
          {state.until !== null && (
            <>
              {' '}
              · <NextTry at={state.until} />
            </>
          )}
        </>
      }
      more={state.why && (cause?.values.failure ? failureWords(cause.values.failure) : state.why)}
      title={cause ? say(cause) : undefined}
    />
  );
}

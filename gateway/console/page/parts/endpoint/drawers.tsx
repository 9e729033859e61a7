import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useChange } from '../../lib/use-change.ts';
import { type EndpointFields, EndpointForm } from './form.tsx';
import { SigningSecret } from './signing-secret.tsx';

interface EndpointDrawerProps {
  opened: boolean;
  close(): void;
}

/** Makes an endpoint, then shows its secret. */
export function EndpointDrawer({ opened, close }: EndpointDrawerProps) {
  const [made, setMade] = useState<(Endpoint & { secret: string }) | null>(null);
  const [, navigate] = useLocation();
  const creation = useChange({
    run: async (body: EndpointFields) => (await answer(api.POST('/endpoints', { body }))).data,
    showsRefusal: true,
  });
  const leave = () => {
    close();
    setMade(null);
    creation.reset();
  };
  return (
    <Drawer
      opened={opened}
      onClose={leave}
      position="right"
      size="lg"
      title={made ? 'The endpoint is made' : 'New endpoint'}
      closeOnClickOutside={made === null}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {made ? (
        <Stack>
          <SigningSecret secret={made.secret} />
          <Group justify="flex-end">
            <Button
              onClick={() => {
                leave();
                navigate(`/endpoints/${made.id}?test=1`);
              }}
            >
              I have it: send a test event
            </Button>
          </Group>
        </Stack>
      ) : (
        <EndpointForm
          submit={(fields) => creation.mutate(fields, { onSuccess: setMade })}
          submitLabel="Make the endpoint"
          pending={creation.isPending}
          error={creation.error}
        />
      )}
    </Drawer>
  );
}

interface EditDrawerProps extends EndpointDrawerProps {
  endpoint: Endpoint;
}

export function EditDrawer({ opened, close, endpoint }: EditDrawerProps) {
  const change = useChange({
    run: ({ service: _, ...body }: EndpointFields) =>
      answer(api.PATCH('/endpoints/{id}', { params: { path: { id: endpoint.id } }, body })),
    done: 'The endpoint was changed. The next attempt goes by it.',
    showsRefusal: true,
  });
  const { service, url, description, events, perimeter, max_in_flight, max_per_second, ordered } = endpoint;
  return (
    <Drawer
      opened={opened}
      onClose={() => {
        close();
        change.reset();
      }}
      position="right"
      size="lg"
      title="Edit the endpoint"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <EndpointForm
        endpoint={{ service, url, description, events, perimeter, max_in_flight, max_per_second, ordered }}
        submit={(fields) => change.mutate(fields, { onSuccess: close })}
        submitLabel="Save"
        pending={change.isPending}
        error={change.error}
      />
    </Drawer>
  );
}

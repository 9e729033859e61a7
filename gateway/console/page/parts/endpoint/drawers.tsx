import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useChange } from '../../lib/use-change.ts';
import { SideDrawer } from '../side-drawer.tsx';
import { type EndpointFields, EndpointForm } from './form.tsx';
import { SigningSecret } from './signing-secret.tsx';

interface DrawerProps {
  opened: boolean;
  close(): void;
}

/** Creates an endpoint, then shows its signing secret. */
export function NewEndpointDrawer({ opened, close }: DrawerProps) {
  const [created, setCreated] = useState<(Endpoint & { secret: string }) | null>(null);
  const [, navigate] = useLocation();
  const creation = useChange({
    run: async (body: EndpointFields) => (await answer(api.POST('/endpoints', { body }))).data,
    showsRefusal: true,
  });
  const closeDrawer = () => {
    close();
    setCreated(null);
    creation.reset();
  };
  return (
    <SideDrawer
      title={created ? 'Endpoint created' : 'New endpoint'}
      opened={opened}
      close={closeDrawer}
      closeOnClickOutside={created === null}
    >
      {created ? (
        <Stack>
          <SigningSecret secret={created.secret} />
          <Group justify="flex-end">
            <Button
              onClick={() => {
                closeDrawer();
                navigate(`/endpoints/${created.id}?test=1`);
              }}
            >
              I have copied it: send a test event
            </Button>
          </Group>
        </Stack>
      ) : (
        <EndpointForm
          submit={(fields) => creation.mutate(fields, { onSuccess: setCreated })}
          submitLabel="Create endpoint"
          pending={creation.isPending}
          error={creation.error}
        />
      )}
    </SideDrawer>
  );
}

interface EditDrawerProps extends DrawerProps {
  endpoint: Endpoint;
}

export function EditDrawer({ opened, close, endpoint }: EditDrawerProps) {
  const change = useChange({
    run: ({ service: _, ...body }: EndpointFields) =>
      answer(api.PATCH('/endpoints/{id}', { params: { path: { id: endpoint.id } }, body })),
    done: 'The endpoint was changed. The next attempt uses the new settings.',
    showsRefusal: true,
  });
  const { service, url, description, events, perimeter, max_in_flight, max_per_second, ordered } = endpoint;
  return (
    <SideDrawer
      title="Edit endpoint"
      opened={opened}
      close={() => {
        close();
        change.reset();
      }}
    >
      <EndpointForm
        endpoint={{ service, url, description, events, perimeter, max_in_flight, max_per_second, ordered }}
        submit={(fields) => change.mutate(fields, { onSuccess: close })}
        submitLabel="Save"
        pending={change.isPending}
        error={change.error}
      />
    </SideDrawer>
  );
}

import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { answer, api } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { type EventType, useEventTypes } from '../../lib/event-types.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { SideDrawer } from '../../parts/side-drawer.tsx';
import { useSetActive } from './actions.tsx';
import { unconfirmedOf } from './secrets.tsx';
import { TestOutcome } from './test-outcome.tsx';

interface TestDrawerProps {
  endpoint: Endpoint;
  opened: boolean;
  /** Offers to test the new secret of a rotation first. */
  newSecret: boolean;
  close(): void;
}

/** Sends a test event to this endpoint and shows the result, for example to check a fix. */
export function TestDrawer({ endpoint, opened, newSecret, close }: TestDrawerProps) {
  const types = useEventTypes(endpoint.service);
  return (
    <SideDrawer title="Send a test event" opened={opened} close={close}>
      {types.length === 0 ? <Loading lines={4} /> : <TestForm endpoint={endpoint} types={types} newSecret={newSecret} />}
    </SideDrawer>
  );
}

const exampleOf = (type: EventType | undefined) => JSON.stringify(type?.example ?? {}, null, 2);

function TestForm({
  endpoint,
  types,
  newSecret,
}: Pick<TestDrawerProps, 'endpoint' | 'newSecret'> & { types: readonly EventType[] }) {
  const first = types.find(({ type }) => endpoint.events === null || endpoint.events.includes(type)) ?? types[0];
  const [type, setType] = useState(first?.type ?? '');
  const [text, setText] = useState(() => exampleOf(first));
  const [isNewWanted, setNewWanted] = useState(newSecret);
  const isRotating = unconfirmedOf(endpoint) !== undefined;
  const [sent, setSent] = useState<{ id: string; confirms: boolean } | null>(null);
  const confirms = isRotating && isNewWanted;
  const sending = useChange({
    run: async (data: unknown) =>
      (
        await answer(
          api.POST('/endpoints/{id}/test', {
            params: { path: { id: endpoint.id } },
            body: { event_type: type, data, secret: confirms ? 'new' : 'current' },
          }),
        )
      ).data,
    showsRefusal: true,
  });
  const parsed = parse(text);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        The event is sent to this endpoint only, at once. It is signed and recorded like any other. Its data must match the
        event's schema.
      </Text>
      {!endpoint.active && <Inactive id={endpoint.id} />}
      <NativeSelect
        label="Event type"
        value={type}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          setType(chosen);
          setText(exampleOf(types.find((one) => one.type === chosen)));
        }}
        data={types.map((one) => one.type)}
      />
      <Textarea
        label="Data"
        description={types.find((one) => one.type === type)?.summary}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        error={'error' in parsed ? parsed.error : undefined}
      />
      {isRotating && (
        <Checkbox
          label="Test the new secret: only it signs this event. If the receiver accepts it, the secret is confirmed."
          checked={isNewWanted}
          onChange={(event) => setNewWanted(event.currentTarget.checked)}
        />
      )}
      {sending.error && <Failure error={sending.error} />}
      <Group justify="space-between">
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          onClick={() => setText(exampleOf(types.find((one) => one.type === type)))}
        >
          Reset to example
        </Button>
        <ChangeButton
          variant="filled"
          disabled={'error' in parsed || !endpoint.active}
          loading={sending.isPending}
          onClick={() =>
            'data' in parsed &&
            sending.mutate(parsed.data, { onSuccess: ({ id }) => setSent({ id, confirms }), onError: () => setSent(null) })
          }
        >
          {sent === null ? 'Send' : 'Send another'}
        </ChangeButton>
      </Group>
      {sent !== null && <TestOutcome key={sent.id} {...sent} />}
    </Stack>
  );
}

function Inactive({ id }: { id: string }) {
  const toggle = useSetActive(id);
  return (
    <Alert color="yellow" title="The endpoint is not active, so nothing can be sent to it">
      <ChangeButton loading={toggle.isPending} onClick={() => toggle.mutate(true)}>
        Enable
      </ChangeButton>
    </Alert>
  );
}

function parse(text: string): { data: unknown } | { error: string } {
  try {
    return { data: JSON.parse(text) };
  } catch (error) {
    return { error: `This is not valid JSON: ${(error as Error).message}` };
  }
}

import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, dataOf } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import type { EventType } from '../../lib/event-types.ts';
import { useFilters } from '../../lib/filters.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { Hint } from '../hint.tsx';
import { Loading } from '../loading.tsx';
import { Failure } from '../problem.tsx';
import { ServerText } from '../server-text.tsx';
import { SideDrawer } from '../side-drawer.tsx';
import { isRotating } from './secrets.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { useSetActive } from './use-set-active.ts';

interface TestDrawerProps {
  endpoint: Endpoint;
  /** The event types to choose from. Empty while they are loading. */
  types: readonly EventType[];
}

/**
 * Sends a test event to this endpoint and shows the result, for example to check a fix. The address says that it is open. With
 * `test=new` it offers to test the new secret of a rotation first.
 */
export function TestDrawer({ endpoint, types }: TestDrawerProps) {
  const [{ test }, change] = useFilters();
  return (
    <SideDrawer title={text.endpointParts.test.title} opened={test !== undefined} close={() => change({ test: undefined })}>
      {types.length === 0 ? <Loading lines={4} /> : <TestForm endpoint={endpoint} types={types} newSecret={test === 'new'} />}
    </SideDrawer>
  );
}

const exampleOf = (type: EventType | undefined) => JSON.stringify(type?.example ?? {}, null, 2);

function TestForm({ endpoint, types, newSecret }: TestDrawerProps & { newSecret: boolean }) {
  const first = types.find(({ type }) => endpoint.events === null || endpoint.events.includes(type)) ?? types[0];
  const [type, setType] = useState(first?.type ?? '');
  const [json, setJson] = useState(() => exampleOf(first));
  const [isNewWanted, setNewWanted] = useState(newSecret);
  const [sent, setSent] = useState<string | null>(null);
  const sending = useChange({
    run: (data: unknown) =>
      dataOf(
        api.POST('/endpoints/{id}/test', {
          params: { path: { id: endpoint.id } },
          body: { event_type: type, data, secret: isNewWanted ? 'new' : 'current' },
        }),
      ),
    showsRefusal: true,
  });
  const parsed = parse(json);
  return (
    <Stack>
      <Hint>{text.endpointParts.test.about}</Hint>
      {!endpoint.active && <Inactive id={endpoint.id} />}
      <NativeSelect
        label={text.endpointParts.test.type}
        value={type}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          setType(chosen);
          setJson(exampleOf(types.find((one) => one.type === chosen)));
        }}
        data={types.map((one) => one.type)}
      />
      <Textarea
        label={text.endpointParts.test.data}
        description={text.server.events[type] ?? <ServerText>{types.find((one) => one.type === type)?.summary}</ServerText>}
        value={json}
        onChange={(event) => setJson(event.currentTarget.value)}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        error={'error' in parsed ? parsed.error : undefined}
      />
      {isRotating(endpoint) && (
        <Checkbox
          label={text.endpointParts.test.newSecret}
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
          onClick={() => setJson(exampleOf(types.find((one) => one.type === type)))}
        >
          {text.endpointParts.test.reset}
        </Button>
        <ChangeButton
          variant="filled"
          disabled={'error' in parsed || !endpoint.active}
          loading={sending.isPending}
          onClick={() =>
            'data' in parsed && sending.mutate(parsed.data, { onSuccess: ({ id }) => setSent(id), onError: () => setSent(null) })
          }
        >
          {sent === null ? text.endpointParts.test.send : text.endpointParts.test.sendAnother}
        </ChangeButton>
      </Group>
      {sent !== null && <TestOutcome key={sent} id={sent} />}
    </Stack>
  );
}

function Inactive({ id }: { id: string }) {
  const toggle = useSetActive(id);
  return (
    <Alert color="yellow" title={text.endpointParts.test.inactive}>
      <ChangeButton loading={toggle.isPending} onClick={() => toggle.mutate(true)}>
        {text.endpointParts.enable}
      </ChangeButton>
    </Alert>
  );
}

function parse(json: string): { data: unknown } | { error: ReactNode } {
  try {
    return { data: JSON.parse(json) };
  } catch (error) {
    return { error: text.endpointParts.test.notJson(<ServerText>{(error as Error).message}</ServerText>) };
  }
}

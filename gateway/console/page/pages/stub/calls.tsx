import { Anchor, Button, Group, NativeSelect, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { askStub } from '../../lib/stub.ts';
import { duration } from '../../lib/time.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Command } from '../../parts/code.tsx';
import { MethodAndPath } from '../../parts/method-and-path.tsx';
import { NestedList } from '../../parts/resource/nested-list.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { SideDrawer } from '../../parts/side-drawer.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { CallDetails } from './call.tsx';
import { Faults, removeFault } from './faults.tsx';
import { type StubState, save, useOperations } from './stub.ts';

const words = text.stub.calls;

interface Call {
  id: string;
  at: string;
  method: string;
  url: string;
  operation?: string;
  /** 0: no reply began. */
  status: number;
  durationMs: number;
  refusal?: { message: string };
  fault?: string;
  faultRules?: string[];
}

const step = 100;
/** As many as the stub keeps. */
const most = 2000;
const statuses = ['2xx', '3xx', '4xx', '5xx'];

export function CallsAndFaults({ stub }: { stub: StubState }) {
  const [failing, fail] = useState('');
  return (
    <Stack>
      <Faults stub={stub} operation={failing} choose={fail} />
      <Calls stub={stub} fail={fail} />
    </Stack>
  );
}

function Calls({ stub, fail }: { stub: StubState; fail(operation: string): void }) {
  const [filters, setFilters] = useState({ operation: '', status: '' });
  const [limit, setLimit] = useState(step);
  const [shown, show] = useState<Call | null>(null);
  const operations = useOperations(stub.api).map(({ id }) => id);
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString();
  const clear = useChange({ run: () => askStub('/calls', { method: 'DELETE' }), done: words.cleared });
  const resource: Resource<Call> = {
    ...callsWith(fail, show),
    name: `calls ${query} ${limit}`,
    empty: query === '' ? words.none : words.noMatch,
    load: async () => ({ data: (await askStub<Call[]>(`/calls?brief=true&limit=${limit}&${query}`)).toReversed(), next: null }),
  };
  const choice = (name: keyof typeof filters, values: readonly string[]) => (
    <NativeSelect
      size="xs"
      label={words[name]}
      value={filters[name]}
      onChange={(event) => setFilters({ ...filters, [name]: event.currentTarget.value })}
      data={[{ value: '', label: words.all }, ...values]}
    />
  );
  return (
    <Paper withBorder p="sm" miw={0}>
      <Stack gap="sm">
        <Group gap="xs" align="flex-end">
          {choice('operation', operations)}
          {choice('status', statuses)}
          <Button size="xs" variant="default" onClick={() => save(`/calls/har?${query}`, 'calls.har')}>
            {words.har}
          </Button>
          <Button size="xs" variant="default" onClick={() => save(`/calls/curl?${query}`, 'calls.sh')}>
            {words.curl}
          </Button>
          <ChangeButton onClick={() => clear.mutate()}>{words.clear}</ChangeButton>
        </Group>
        <NestedList resource={resource} level={2} />
        <SideDrawer title={`${shown?.method} ${shown?.url}`} opened={shown !== null} close={() => show(null)}>
          {shown && <CallDetails id={shown.id} isAnswered={shown.status !== 0} />}
        </SideDrawer>
        {stub.calls === 0 && <Command text={firstCall[stub.api](stub.credentials)} />}
        {limit < Math.min(stub.calls, most) && (
          <Anchor component="button" size="sm" onClick={() => setLimit(limit + step)}>
            {words.older}
          </Anchor>
        )}
      </Stack>
    </Paper>
  );
}

const callsWith = (fail: (operation: string) => void, show: (call: Call) => void) => ({
  title: words.title,
  description: '',
  live: true,
  idOf: ({ id }: Call) => id,
  titleOf: ({ method, url }: Call) => `${method} ${url}`,
  columns: [
    { header: words.columns.time, cell: ({ at }: Call) => <Time at={at} /> },
    {
      header: words.columns.call,
      cell: (call: Call) => (
        <Anchor component="button" ta="left" inherit onClick={() => show(call)}>
          <MethodAndPath method={call.method} path={call.url} />
        </Anchor>
      ),
    },
    {
      header: words.columns.status,
      cell: ({ status }: Call) => (status === 0 ? words.noReply : <HttpStatus status={status} />),
    },
    { header: words.columns.operation, cell: ({ operation }: Call) => operation ?? '–' },
    { header: words.columns.took, cell: ({ durationMs }: Call) => duration(durationMs) },
    {
      header: words.columns.why,
      cell: ({ fault, refusal }: Call) => (fault === undefined ? refusal?.message : words.fault(<code>{fault}</code>)),
    },
  ],
  actions: [
    {
      label: words.fail,
      offered: ({ operation }: Call) => operation !== undefined,
      async run({ operation = '' }: Call) {
        fail(operation);
        return { message: words.chosen(operation) };
      },
    },
    {
      label: words.removeFault,
      offered: ({ faultRules = [] }: Call) => faultRules.length > 0,
      async run({ faultRules = [] }: Call) {
        for (const id of faultRules) await removeFault(id);
        return { message: text.stub.removed(faultRules.join(', ')) };
      },
    },
  ],
});

const firstCall = {
  pos: ({ apiKey, apiSecret }: StubState['credentials']) =>
    `curl -s ${location.origin}/api/auth -H 'Content-Type: application/json' -d '${JSON.stringify({ api_key: apiKey, api_secret: apiSecret })}'`,
  cohesion: ({ token }: StubState['credentials']) =>
    `curl -s '${location.origin}/api/v1/indicateurs?per_page=2' -H 'Authorization: Bearer ${token}'`,
};

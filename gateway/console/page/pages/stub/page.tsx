import { Box, Button, Group, Text, TextInput } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { ApiError, fieldErrorOf, messageOf } from '../../lib/api.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { askStub } from '../../lib/stub.ts';
import { useChange } from '../../lib/use-change.ts';
import { Frame } from '../../parts/frame.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure, Problem } from '../../parts/problem.tsx';
import { SubmitForm } from '../../parts/submit-form.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { text } from '../../texts/index.ts';
import { About } from './about.tsx';
import { Assumptions } from './assumptions.tsx';
import { CallsAndFaults } from './calls.tsx';
import { Events } from './events.tsx';
import { Payments } from './payments.tsx';
import { Replies } from './replies.tsx';
import { type StubState, useStub } from './stub.ts';

const { title, tabs: titles, clock: words } = text.stub;

const parts: Record<keyof typeof titles, ComponentType<{ stub: StubState }>> = {
  faults: CallsAndFaults,
  events: Events,
  payments: Payments,
  replies: Replies,
  assumptions: Assumptions,
  about: About,
};
const names = Object.keys(parts) as (keyof typeof parts)[];

/** Controls the stub that serves this console: its faults, events, payments, alternatives, clock and data. */
export default function Stub({ params: { part: name = 'faults' } }: PageProps) {
  const { data: stub, error, refetch } = useStub();
  if (!stub)
    return (
      <Frame title={title}>
        {error ? <Failure error={error} retry={refetch} /> : <Loading />}
        {error instanceof ApiError && error.status === 403 && <Text size="sm">{text.stub.otherMachine}</Text>}
      </Frame>
    );
  // Mobile money is a part of the point of sale only.
  const offered = names.filter((one) => one !== 'payments' || stub.api === 'pos');
  const shown = offered.find((one) => one === name);
  const Part = shown && parts[shown];
  return (
    <Frame title={text.stub.of(stub.api)} actions={<Clock now={stub.clock} />}>
      <Tabs
        label={title}
        tabs={offered.map((one) => ({ href: `/stub/${one}`, title: titles[one] }))}
        current={`/stub/${shown}`}
      />
      {error && <Failure error={error} retry={refetch} />}
      {Part ? <Part stub={stub} /> : <Problem {...text.parts.noSuchTab} />}
    </Frame>
  );
}

function Clock({ now }: { now: string }) {
  const [by, setBy] = useState('1h');
  const advance = useChange({
    run: () => askStub<{ now: string }>('/clock/advance', { method: 'POST', body: { by: by.trim() }, field: 'by' }),
    done: (clock) => text.stub.clockAt(clock.now),
    showsRefusal: true,
  });
  return (
    <SubmitForm aria-label={words.label} submit={() => advance.mutate()}>
      <Group gap="sm" align="flex-start">
        <Box>
          <Hint size="xs">{words.label}</Hint>
          <time dateTime={now} className="mono">
            {`${now.slice(0, 19).replace('T', ' ')} UTC`}
          </time>
        </Box>
        <TextInput
          size="xs"
          w={180}
          label={words.by}
          description={words.hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={by}
          onChange={(event) => setBy(event.currentTarget.value)}
          error={advance.error && (fieldErrorOf(advance.error, 'by') ?? messageOf(advance.error))}
        />
        <Button type="submit" size="xs" mt={22} variant="default" loading={advance.isPending}>
          {words.advance}
        </Button>
      </Group>
    </SubmitForm>
  );
}

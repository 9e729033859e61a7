import { Code, List, Paper, Stack, Text } from '@mantine/core';
import { words as spaced } from '../../lib/format.ts';
import { askStub } from '../../lib/stub.ts';
import { Command } from '../../parts/code.tsx';
import { NestedList } from '../../parts/resource/nested-list.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import type { StubState } from './stub.ts';

const says = text.stub.payments;

type End = keyof typeof says.ends;

interface Payment {
  id: string;
  reference: string;
  amount: number;
  phone: string;
  provider: string;
  status: keyof typeof says.words;
  created_at: string;
  settles_at: string | null;
  settles_as: End | null;
  settled_at: string | null;
}

export const Payments = ({ stub: { mobileMoney: rules, testNumbers } }: { stub: StubState }) => (
  <Stack>
    <Paper withBorder p="sm" miw={0}>
      <NestedList resource={payments} level={2} />
    </Paper>
    <Section title={says.testNumbers}>
      {testNumbers.length === 0 && <Command text="passerelle stub pos --mobile-money sandbox" />}
      <List size="sm">
        {testNumbers.map(({ name, phone, does }) => (
          <List.Item key={name}>
            <Code>{phone}</Code> {says.numbers[name] ?? does}
          </List.Item>
        ))}
      </List>
    </Section>
    <Section title={says.rules}>
      <Text size="sm">{rules.length > 0 ? says.firstRule : says.noRule}</Text>
      {rules.length === 0 && <Command text="passerelle stub pos --mobile-money 'pending:30s,refused'" />}
      <List size="sm">
        {rules.map((rule) => (
          <List.Item key={rule}>
            <Code>{rule}</Code>
          </List.Item>
        ))}
      </List>
    </Section>
  </Stack>
);

const payments: Resource<Payment> = {
  name: 'payments',
  title: says.title,
  description: '',
  empty: says.none,
  live: true,
  load: async () => ({ data: (await askStub<Payment[]>('/payments')).toReversed(), next: null }),
  idOf: ({ id }) => id,
  titleOf: ({ id }) => id,
  columns: [
    { header: says.columns.time, cell: ({ created_at: at }) => <Time at={at} /> },
    { header: says.columns.status, cell: ({ status }) => says.words[status] },
    { header: says.columns.amount, cell: ({ amount }) => String(amount) },
    { header: says.columns.from, cell: ({ phone, provider }) => `${phone}, ${spaced(provider)}` },
    { header: says.columns.sale, cell: ({ reference }) => reference },
    {
      header: says.columns.ends,
      cell: ({ status, settles_at: due, settles_as: as, settled_at: at }) => {
        if (due !== null) return says.willBe(says.words[as ?? 'received'], <Time at={due} />);
        return at !== null && says.was(says.words[status], <Time at={at} />);
      },
    },
  ],
  actions: (Object.keys(says.ends) as End[]).map((as) => ({
    label: says.ends[as],
    offered: ({ status }) => status === 'pending',
    async run({ id }) {
      await askStub(`/payments/${encodeURIComponent(id)}/settle`, { method: 'POST', body: { as } });
      return { message: says.settled(id, says.words[as]) };
    },
  })),
};

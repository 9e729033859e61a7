import { NativeSelect, Paper, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { labelled } from '../../lib/filters.ts';
import { askStub } from '../../lib/stub.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { NestedList } from '../../parts/resource/nested-list.tsx';
import type { Field, Resource, Values } from '../../parts/resource/resource.ts';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';
import { SendForm } from './send-form.tsx';
import { nested, readJson, type StubState, useEvents, useExamples, useOperations, wrongField } from './stub.ts';

const words = text.stub.faults;
const labels = words.fields;

interface Fault {
  id: string;
  rule: string;
  applied: number;
}

type Kind = keyof typeof words.kinds;

/** A field of a fault. Most may be left empty. */
const field = (name: string, label: string, rest: Partial<Field> = {}): Field => ({
  name,
  label,
  kind: 'number',
  optional: true,
  ...rest,
});

const retry = field('fault.retrySeconds', labels.retry);
const stage = field('fault.stage', labels.stage, {
  kind: 'choice',
  choices: ['before', 'reply'],
  labels: labels.stages,
  initial: 'before',
});

/** The fields of each kind of fault. `causes`: the names of the replies it can give, with words for each. */
const fieldsOf: Record<Kind, (causes: Readonly<Record<string, string>>) => Field[]> = {
  status: () => [
    field('fault.status', labels.status, { initial: 503 }),
    retry,
    field('fault.headers', labels.headers, { kind: 'area', isMore: true }),
    field('fault.body', labels.body, { kind: 'area', help: labels.bodyHelp, isMore: true }),
    field('fault.validate', labels.validate, { kind: 'flag', isMore: true }),
  ],
  example: (causes) => [
    field('fault.name', labels.cause, {
      kind: 'choice',
      choices: Object.keys(causes),
      labels: causes,
      initial: Object.keys(causes)[0],
    }),
    retry,
  ],
  delay: () => [
    field('fault.fromMs', labels.from, { initial: 2000 }),
    field('fault.toMs', labels.to, { help: labels.toHelp }),
    stage,
  ],
  reset: () => [stage],
  empty: () => [stage],
  hang: () => [field('fault.ms', labels.over, { initial: 30_000 }), stage],
  truncated: () => [field('fault.share', labels.share, { help: labels.shareHelp })],
  malformed: () => [],
  'malformed-chunk': () => [],
  slow: () => [
    field('fault.overMs', labels.over, { initial: 3000 }),
    field('fault.pieces', labels.pieces, { help: labels.piecesHelp }),
  ],
  bandwidth: () => [field('fault.bytesPerSecond', labels.rate, { initial: 1000 })],
  down: () => [],
  'rate-limit': () => [field('fault.limit', labels.limit), retry],
  'token-expired': () => [],
  lost: () => [],
};

/** The calls that a rule is about. */
const callFields: readonly Field[] = [
  field('times', labels.times, { help: labels.timesHelp }),
  field('forSeconds', labels.for, { help: labels.forHelp }),
  field('after', labels.after, { isMore: true }),
  field('probability', labels.probability, { help: labels.probabilityHelp, isMore: true }),
  field('when', labels.when, { kind: 'area', placeholder: 'body.payment_method=cash', isMore: true }),
];

const linesOf = (value: unknown) =>
  String(value)
    .split('\n')
    .filter((line) => line.trim() !== '');

function readHeaders(value: unknown): Record<string, string> {
  const pairs = linesOf(value).map((line) => {
    const [, name, content] = /^([^:]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || content === undefined) throw wrongField('fault.headers', text.stub.notHeader(line));
    return [name.trim(), content.trim()];
  });
  return Object.fromEntries(pairs);
}

/** Conditions such as `body.payment_method=cash` as the names of the fields that `nested` reads. */
function readConditions(value: unknown): Record<string, Record<string, string>> {
  const when: Record<string, Record<string, string>> = {};
  for (const line of linesOf(value)) {
    const [, place, name, wanted] = /^\s*(body|query|header)\.([^=]+)=(.*)$/.exec(line) ?? [];
    if (place === undefined || name === undefined) throw wrongField('when', text.stub.notCondition(line));
    when[place] = { ...when[place], [name.trim()]: wanted ?? '' };
  }
  return when;
}

function ruleOf(kind: Kind, operation: string, values: Values): object {
  const { fault = {}, when, forSeconds, ...rule } = nested(values) as Values & { fault?: Record<string, unknown> };
  const { fromMs, retrySeconds, headers, body, validate, stage: at, ...rest } = fault;
  return {
    ...rule,
    ...(operation !== '' && { operation }),
    ...(forSeconds !== undefined && { forMs: Number(forSeconds) * 1000 }),
    ...(when !== undefined && { when: readConditions(when) }),
    fault: {
      kind,
      ...rest,
      ...(fromMs !== undefined && (rest.toMs === undefined ? { ms: fromMs } : { fromMs })),
      ...(retrySeconds !== undefined && { retryAfterMs: Number(retrySeconds) * 1000 }),
      ...(headers !== undefined && { headers: readHeaders(headers) }),
      ...(body !== undefined && { body: readJson('fault.body', body) }),
      ...(validate === true && { validate: false }),
      ...(at === 'reply' && { stage: at }),
    },
  };
}

export async function addFault(rule: object | string): Promise<string> {
  const options = { method: 'POST', body: { rule }, ...(typeof rule === 'string' && { field: 'rule' }) } as const;
  return (await askStub<Fault[]>('/faults', options)).at(-1)?.rule ?? '';
}

export const removeFault = (id: string) => askStub(`/faults/${encodeURIComponent(id)}`, { method: 'DELETE' });

const faults: Resource<Fault> = {
  name: 'faults',
  title: words.title,
  description: '',
  empty: words.none,
  live: true,
  load: async () => ({ data: await askStub<Fault[]>('/faults'), next: null }),
  idOf: ({ id }) => id,
  titleOf: ({ id }) => id,
  columns: [
    { header: words.columns.rule, cell: ({ rule }) => <code>{rule}</code> },
    { header: words.columns.id, cell: ({ id }) => id },
    { header: words.columns.applied, cell: ({ applied }) => words.applied(applied) },
  ],
  create: {
    label: words.addText,
    fields: () => [{ name: 'rule', label: words.rule, kind: 'text', placeholder: 'createSale:status=503,times=2' }],
    run: async (_, { rule = '' }) => ({ message: text.stub.added(await addFault(String(rule))) }),
  },
  actions: [
    {
      label: text.stub.remove,
      async run({ id }) {
        await removeFault(id);
        return { message: text.stub.removed(id) };
      },
    },
  ],
};

interface FaultsProps {
  stub: StubState;
  /** The operation whose calls fail, or the event type whose webhooks are lost. Empty for all. */
  operation: string;
  choose(operation: string): void;
}

/** The faults, and a form to add one. */
export function Faults({ stub, operation, choose }: FaultsProps) {
  const [kind, setKind] = useState<Kind>('status');
  const operations = useOperations(stub.api);
  const events = useEvents(stub.api);
  const causes = useExamples()
    .filter((one) => operation === '' || one.operation === operation)
    .map(({ name, status, cause }) => [name, `${status} ${name}: ${cause}`]);
  const clear = useChange({ run: () => askStub('/faults', { method: 'DELETE' }), done: words.allRemoved });
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title={words.add}>
        <Stack gap="sm">
          <NativeSelect
            label={words.operation}
            value={operation}
            onChange={(event) => choose(event.currentTarget.value)}
            data={[
              { value: '', label: kind === 'lost' ? words.allEvents : words.allOperations },
              ...(kind === 'lost'
                ? events.map(({ path, summary }) => ({ value: path, label: `${path}: ${summary}` }))
                : operations.map(({ id, method, path }) => ({ value: id, label: `${id}: ${method} ${path}` }))),
            ]}
          />
          <NativeSelect
            label={words.kind}
            value={kind}
            onChange={(event) => {
              const next = event.currentTarget.value as Kind;
              if ((next === 'lost') !== (kind === 'lost')) choose('');
              setKind(next);
            }}
            data={labelled(words.kinds)}
          />
          <SendForm
            key={kind === 'example' ? `${kind} ${operation} ${causes.length}` : kind}
            label={words.add}
            more={words.more}
            fields={[...fieldsOf[kind](Object.fromEntries(causes)), ...callFields]}
            run={(values) => addFault(ruleOf(kind, operation, values))}
            done={text.stub.added}
          />
        </Stack>
      </Section>
      <Paper withBorder p="sm" miw={0}>
        <NestedList
          resource={faults}
          level={2}
          beside={<ChangeButton onClick={() => clear.mutate()}>{words.removeAll}</ChangeButton>}
        />
      </Paper>
    </SimpleGrid>
  );
}

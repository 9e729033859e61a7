import { Anchor, Badge } from '@mantine/core';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import { Active } from '../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../parts/resource/resource.ts';
import { Time } from '../../parts/time.tsx';

type Operator = paths['/operators']['get']['responses'][200]['content']['application/json']['data'][number];

const one = (id: string) => ({ params: { path: { id } } });

const role = (initial: Operator['role']): Field => ({
  name: 'role',
  label: 'Role',
  kind: 'choice',
  choices: ['viewer', 'operator'],
  initial,
  help: 'Operators may do everything. Viewers may only read.',
});

const nameField = (initial?: string): Field => ({ name: 'name', label: 'Name', kind: 'text', initial, placeholder: 'Awa' });

function Role({ of }: { of: Operator['role'] }) {
  return (
    <Badge size="sm" variant="light" color={of === 'operator' ? 'cyan' : 'gray'} tt="none">
      {of}
    </Badge>
  );
}

/** @param self the signed-in operator's id, or null for the built-in operator. Nobody can deactivate themselves. */
export const operatorsSeenBy = (self: string | null): Resource<Operator> => ({
  name: 'operators',
  title: 'Operators and viewers',
  description:
    'Operators and viewers sign in here, or send their credential as a bearer token to the manage API. Changing the role or deactivating ends their sessions.',
  empty: 'Create one for each person who works with this gateway.',
  load: async (query) => answer(api.GET('/operators', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: ({ id, name }) => (id === self ? `${name} (you)` : name),
  columns: [
    { header: 'Name', cell: ({ id, name }) => (id === self ? `${name} (you)` : name) },
    { header: 'Role', width: 110, cell: ({ role: held }) => <Role of={held} /> },
    { header: 'State', width: 120, cell: ({ active }) => <Active is={active} /> },
    { header: 'Last used', width: 170, cell: ({ last_used_at: at }) => <Time at={at} none="never" /> },
    { header: 'Made', width: 170, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: ({ id, name, role: held, active, last_used_at: used, created_at: made }) => [
    ['Role', <Role key="role" of={held} />],
    ['State', <Active key="active" is={active} />],
    ['Last used', <Time key="used" at={used} none="never" />],
    ['Created', <Time key="created" at={made} />],
    [
      'Calls',
      <Anchor key="calls" component={Link} size="sm" href={linkTo('/calls', { caller: `operator:${name}` })}>
        their changes
      </Anchor>,
    ],
    [
      'Id',
      <span key="id" className="mono">
        {id}
      </span>,
    ],
  ],
  create: {
    label: 'New operator',
    fields: () => [nameField(), role('viewer')],
    async run(_, values) {
      const { data } = await answer(api.POST('/operators', { body: values as never }));
      return { message: `${data.name} was created.`, secret: { what: `the credential of ${data.name}`, text: data.credential } };
    },
  },
  actions: [
    {
      label: 'Edit',
      fields: (operator) => [nameField(operator.name), role(operator.role)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: values as never }));
        return { message: `${data.name} is ${data.role === 'operator' ? 'an operator' : 'a viewer'}.` };
      },
    },
    {
      label: 'Rotate credential',
      consequences: ['The current credential and its sessions end at once.', 'The new credential is shown once, to you.'],
      async run({ id, name }) {
        const { data } = await answer(api.POST('/operators/{id}/rotate-credential', one(id)));
        return {
          message: `${name} has a new credential.`,
          secret: { what: `the new credential of ${name}`, text: data.credential },
        };
      },
    },
    {
      label: 'Deactivate',
      offered: ({ id, active }) => active && id !== self,
      consequences: ['Their sessions end at once, and their credential is refused.', 'You can activate them again.'],
      async run({ id }) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: { active: false } }));
        return { message: `${data.name} is no longer active.` };
      },
    },
    {
      label: 'Activate',
      offered: ({ active }) => !active,
      async run({ id }) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: { active: true } }));
        return { message: `${data.name} is active again, with the same credential.` };
      },
    },
  ],
});

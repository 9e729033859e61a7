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
  help: 'An operator may do everything, a viewer may only look.',
});

const nameField = (initial?: string): Field => ({ name: 'name', label: 'Name', kind: 'text', initial, placeholder: 'Awa' });

function Role({ of }: { of: Operator['role'] }) {
  return (
    <Badge size="sm" variant="light" color={of === 'operator' ? 'cyan' : 'gray'} tt="none">
      {of}
    </Badge>
  );
}

/** @param self the id of who looks; null for the installation's own operator. Nobody can take away their own way in. */
export const operatorsSeenBy = (self: string | null): Resource<Operator> => ({
  name: 'operators',
  title: 'Operators and viewers',
  about:
    'Who may sign in here, and send their credential as a bearer token to the manage API. Another role, and deactivation, end their sessions.',
  empty: 'Make one for each person who works with this gateway.',
  load: async (query) => answer(api.GET('/operators', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: ({ id, name }) => (id === self ? `${name} (you)` : name),
  columns: [
    { header: 'Name', cell: ({ id, name }) => (id === self ? `${name} (you)` : name) },
    { header: 'Role', width: 110, cell: ({ role: held }) => <Role of={held} /> },
    { header: 'State', width: 120, cell: ({ active }) => <Active is={active} /> },
    { header: 'Last used', width: 170, wide: true, cell: ({ last_used_at: at }) => <Time at={at} none="never" /> },
    { header: 'Made', width: 170, wide: true, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: ({ id, name, role: held, active, last_used_at: used, created_at: made }) => [
    ['Role', <Role key="role" of={held} />],
    ['State', <Active key="active" is={active} />],
    ['Last used', <Time key="used" at={used} none="never" />],
    ['Made', <Time key="made" at={made} />],
    [
      'Calls',
      <Anchor key="calls" component={Link} size="sm" href={linkTo('/calls', { caller: `operator:${name}` })}>
        what they changed
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
      return { said: `${data.name} is made.`, secret: { what: `the credential of ${data.name}`, text: data.credential } };
    },
  },
  actions: [
    {
      label: 'Change',
      fields: (operator) => [nameField(operator.name), role(operator.role)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: values as never }));
        return { said: `${data.name} is ${data.role === 'operator' ? 'an operator' : 'a viewer'}.` };
      },
    },
    {
      label: 'Rotate the credential',
      consequences: ['The credential they have ends at once, and their sessions with it.', 'The new one is shown once, to you.'],
      async run({ id, name }) {
        const { data } = await answer(api.POST('/operators/{id}/rotate-credential', one(id)));
        return {
          said: `${name} has a new credential.`,
          secret: { what: `the new credential of ${name}`, text: data.credential },
        };
      },
    },
    {
      label: 'Deactivate',
      offered: ({ id, active }) => active && id !== self,
      consequences: ['Their sessions end at once, and their credential is refused.', 'It can be undone: activate them again.'],
      async run({ id }) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: { active: false } }));
        return { said: `${data.name} is not active any more.` };
      },
    },
    {
      label: 'Activate',
      offered: ({ active }) => !active,
      async run({ id }) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: { active: true } }));
        return { said: `${data.name} is active again, with the credential they had.` };
      },
    },
  ],
});

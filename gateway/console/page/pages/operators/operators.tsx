import { Badge } from '@mantine/core';
import { answer, api, type BodyOf, type paths } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { Active } from '../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../parts/resource/resource.ts';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';

type Operator = paths['/operators']['get']['responses'][200]['content']['application/json']['data'][number];

const words = text.operators;

const one = (id: string) => ({ params: { path: { id } } });

const role = (initial: Operator['role']): Field => ({
  name: 'role',
  label: words.fields.role,
  kind: 'choice',
  choices: ['viewer', 'operator'],
  labels: words.role,
  initial,
  help: words.fields.roleHelp,
});

const nameField = (initial?: string): Field => ({
  name: 'name',
  label: words.fields.name,
  kind: 'text',
  initial,
  placeholder: 'Awa',
});

const Role = ({ of }: { of: Operator['role'] }) => <Badge color={of === 'operator' ? 'accent' : 'gray'}>{words.role[of]}</Badge>;

/** @param self the signed-in operator's id, or null for the built-in operator. Nobody can deactivate themselves. */
export const operatorsSeenBy = (self: string | null): Resource<Operator> => ({
  name: 'operators',
  title: words.list,
  description: words.description,
  empty: words.empty,
  load: async (query) => answer(api.GET('/operators', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: ({ id, name }) => (id === self ? words.you(name) : name),
  columns: [
    { header: words.columns.name, cell: ({ id, name }) => (id === self ? words.you(name) : name) },
    { header: words.columns.role, kind: 'status', cell: ({ role: held }) => <Role of={held} /> },
    { header: words.columns.state, kind: 'status', cell: ({ active }) => <Active is={active} /> },
    { header: words.columns.used, kind: 'time', cell: ({ last_used_at: at }) => <Time at={at} none={words.neverUsed} /> },
    { header: words.columns.made, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: ({ id, name, role: held, active, last_used_at: used, created_at: made }) => [
    [words.facts.role, <Role key="role" of={held} />],
    [words.facts.state, <Active key="active" is={active} />],
    [words.facts.used, <Time key="used" at={used} none={words.neverUsed} />],
    [words.facts.created, <Time key="created" at={made} />],
    [
      words.facts.calls,
      <PageLink key="calls" href={linkTo('/calls', { caller: `operator:${name}` })}>
        {words.theirChanges}
      </PageLink>,
    ],
    [
      words.facts.id,
      <span key="id" className="mono">
        {id}
      </span>,
    ],
  ],
  create: {
    label: words.create,
    fields: () => [nameField(), role('viewer')],
    async run(_, values: BodyOf<paths['/operators']['post']>) {
      const { data } = await answer(api.POST('/operators', { body: values }));
      return { message: words.created(data.name), secret: { what: words.credentialOf(data.name), text: data.credential } };
    },
  },
  actions: [
    {
      label: words.edit,
      fields: (operator) => [nameField(operator.name), role(operator.role)],
      async run({ id }, values: BodyOf<paths['/operators/{id}']['patch']>) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: values }));
        return { message: words.hasRole[data.role](data.name) };
      },
    },
    {
      label: words.rotate,
      consequences: words.rotation,
      async run({ id, name }) {
        const { data } = await answer(api.POST('/operators/{id}/rotate-credential', one(id)));
        return {
          message: words.rotated(name),
          secret: { what: words.newCredentialOf(name), text: data.credential },
        };
      },
    },
    {
      label: words.deactivate,
      offered: ({ id, active }) => active && id !== self,
      consequences: words.deactivation,
      async run({ id }) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: { active: false } }));
        return { message: words.deactivated(data.name) };
      },
    },
    {
      label: words.activate,
      offered: ({ active }) => !active,
      async run({ id }) {
        const { data } = await answer(api.PATCH('/operators/{id}', { ...one(id), body: { active: true } }));
        return { message: words.activated(data.name) };
      },
    },
  ],
});

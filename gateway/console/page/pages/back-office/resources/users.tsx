import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../../lib/api.ts';
import { linkTo } from '../../../lib/filters.ts';
import { Active, activeField, listed } from '../../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';

type User = paths['/cohesion/users']['get']['responses'][200]['content']['application/json']['data'][number];
type Token = paths['/cohesion/tokens']['get']['responses'][200]['content']['application/json']['data'][number];

const abilities = ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'];

const fields = (user: User | null): Field[] => [
  { name: 'name', label: 'Name', kind: 'text', initial: user?.name, placeholder: 'Aya Kouassi' },
  {
    name: 'role',
    label: 'Role',
    kind: 'choice',
    choices: ['admin', 'gestionnaire', 'lecteur'],
    initial: user?.role ?? 'lecteur',
  },
];

const tokenFields: Field[] = [
  { name: 'name', label: 'Name', kind: 'text', placeholder: 'Tableau de bord' },
  { name: 'abilities', label: 'Abilities', kind: 'choices', choices: abilities },
  {
    name: 'structure_ids',
    label: 'Perimeter',
    kind: 'numbers',
    optional: true,
    emptyIsNull: true,
    help: 'Ids of the structures it may write for, separated by commas. Empty: all.',
    placeholder: '1, 2',
  },
  { name: 'expires_at', label: 'Expires', kind: 'instant', optional: true, help: 'Empty: never.' },
];

const userOf = (id: string | number) => ({ params: { path: { id: Number(id) } } });

/** All tokens, each with the row that a caller's id opens. */
export const tokens: Resource<Token> = {
  name: 'tokens',
  title: 'Tokens',
  description: 'The tokens of all users. Recorded calls name their caller by its token.',
  empty: 'Open a user to create a token.',
  load: async (query) => answer(api.GET('/cohesion/tokens', { params: { query: query as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Abilities', cell: ({ abilities: held }) => held.join(', ') },
    { header: 'Perimeter', cell: ({ structure_ids: ids }) => listed(ids) },
    { header: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} none="never" /> },
    {
      header: 'Expires',
      cell: ({ expires_at: at, revoked_at: revoked }) => (revoked ? 'revoked' : <Time at={at} none="never" />),
    },
  ],
  facts: (token) => [
    ['Id', token.id],
    [
      'User',
      <Anchor key="user" component={Link} size="sm" href={linkTo('/back-office/users', { row: String(token.user_id) })}>
        user {token.user_id}
      </Anchor>,
    ],
    ...tokens.columns.map(({ header, cell }) => [header, cell(token)] as const),
    ['Created', <Time key="at" at={token.created_at} />],
    [
      'Calls',
      <Anchor key="calls" component={Link} size="sm" href={linkTo('/calls', { caller: `token:${token.id}` })}>
        its calls
      </Anchor>,
    ],
  ],
  actions: [
    {
      label: 'Revoke',
      offered: ({ revoked_at: at }) => at === null,
      consequences: ['Calls with this token get 401 from now on.', 'This cannot be undone.'],
      async run({ id, name }) {
        await answer(api.DELETE('/cohesion/tokens/{id}', userOf(id)));
        return { message: `The token ${name} was revoked.` };
      },
    },
  ],
};

const tokensOf = ({ id: userId }: User): Resource<Token> => ({
  ...tokens,
  name: `tokens of ${userId}`,
  description: '',
  empty: 'No tokens yet. The user needs one to call the API.',
  load: async (query) => answer(api.GET('/cohesion/tokens', { params: { query: { ...query, user_id: userId } as never } })),
  create: {
    label: 'Create token',
    fields: () => tokenFields,
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/users/{id}/tokens', { ...userOf(userId), body: values as never }));
      return { message: `The token ${data.name} was created.`, secret: { what: 'the token', text: data.token } };
    },
  },
});

export const users: Resource<User> = {
  name: 'users',
  title: 'Users',
  description:
    'Users call the social-cohesion API with tokens. A token has abilities, and a perimeter of structures it may write for.',
  empty: 'Create a user, then a token for it.',
  load: async (query) => answer(api.GET('/cohesion/users', { params: { query: query as never } })),
  read: async (id) => (await answer(api.GET('/cohesion/users/{id}', userOf(id)))).data,
  idOf: ({ id }) => String(id),
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Role', width: 130, cell: ({ role }) => role },
    { header: 'State', width: 110, cell: ({ active }) => <Active is={active} /> },
    { header: 'E-mail', cell: ({ email }) => email },
    { header: 'Id', width: 70, cell: ({ id }) => id },
    { header: 'Created', width: 170, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  nested: (user) => [tokensOf(user)],
  create: {
    label: 'New user',
    fields: () => [...fields(null), { name: 'email', label: 'E-mail', kind: 'text', placeholder: 'aya.kouassi@example.org' }],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/users', { body: values as never }));
      return { message: `${data.name} was created. Open the user to create a token.`, createdId: String(data.id) };
    },
  },
  actions: [
    {
      label: 'Edit',
      fields: (user) => [...fields(user), activeField(user.active)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/cohesion/users/{id}', { ...userOf(id), body: values as never }));
        return { message: `${data.name} was changed.` };
      },
    },
  ],
};

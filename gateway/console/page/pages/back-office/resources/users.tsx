import { answer, api, type paths } from '../../../lib/api.ts';
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
    help: 'Ids of the structures it may write for, with commas between. Empty: all of them.',
    placeholder: '1, 2',
  },
  { name: 'expires_at', label: 'Stops working', kind: 'instant', optional: true, help: 'Empty: never.' },
];

const userOf = (id: string | number) => ({ params: { path: { id: Number(id) } } });

const tokensOf = ({ id: userId }: User): Resource<Token> => ({
  name: `tokens of ${userId}`,
  title: 'Tokens',
  about: '',
  empty: 'No token yet: the user cannot call the API.',
  load: async (query) => answer(api.GET('/cohesion/tokens', { params: { query: { ...query, user_id: userId } as never } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Abilities', cell: ({ abilities: held }) => held.join(', ') },
    { header: 'Perimeter', cell: ({ structure_ids: ids }) => listed(ids) },
    { header: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} none="never" /> },
    { header: 'Ends', cell: ({ expires_at: at, revoked_at: revoked }) => (revoked ? 'revoked' : <Time at={at} none="never" />) },
  ],
  create: {
    label: 'Make a token',
    fields: () => tokenFields,
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/users/{id}/tokens', { ...userOf(userId), body: values as never }));
      return { said: `The token ${data.name} is made.`, secret: { what: 'the token', text: data.token } };
    },
  },
  actions: [
    {
      label: 'Revoke',
      offered: ({ revoked_at: at }) => at === null,
      consequences: ['Calls with it get 401 from now on.', 'It cannot be undone.'],
      async run({ id, name }) {
        await answer(api.DELETE('/cohesion/tokens/{id}', userOf(id)));
        return { said: `The token ${name} is revoked.` };
      },
    },
  ],
});

export const users: Resource<User> = {
  name: 'users',
  title: 'Users',
  about: 'Who calls the social-cohesion API, each with tokens: what a token may do, and for which structures it may write.',
  empty: 'Make one, then a token in it.',
  load: async (query) => answer(api.GET('/cohesion/users', { params: { query: query as never } })),
  read: async (id) => (await answer(api.GET('/cohesion/users/{id}', userOf(id)))).data,
  idOf: ({ id }) => String(id),
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Role', width: 130, cell: ({ role }) => role },
    { header: 'State', width: 110, cell: ({ active }) => <Active is={active} /> },
    { header: 'E-mail', wide: true, cell: ({ email }) => email },
    { header: 'Id', width: 70, wide: true, cell: ({ id }) => id },
    { header: 'Made', width: 170, wide: true, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  within: (user) => [tokensOf(user)],
  create: {
    label: 'New user',
    fields: () => [...fields(null), { name: 'email', label: 'E-mail', kind: 'text', placeholder: 'aya.kouassi@example.org' }],
    async run(_, values) {
      const { data } = await answer(api.POST('/cohesion/users', { body: values as never }));
      return { said: `${data.name} is made. They need a token now.`, made: String(data.id) };
    },
  },
  actions: [
    {
      label: 'Change',
      fields: (user) => [...fields(user), activeField(user.active)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/cohesion/users/{id}', { ...userOf(id), body: values as never }));
        return { said: `${data.name} is changed.` };
      },
    },
  ],
};

import { answer, api, type BodyOf, dataOf, type paths, type QueryOf } from '../../../lib/api.ts';
import { linkTo } from '../../../lib/filters.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { linksOf } from '../../../parts/profile-links.tsx';
import { Active, activeField, listed } from '../../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { RowsOf } from '../../../parts/rows-of.tsx';
import { Time } from '../../../parts/time.tsx';
import { text } from '../../../texts/index.ts';

type NewToken = BodyOf<paths['/cohesion/users/{id}/tokens']['post']>;
type NewUser = BodyOf<paths['/cohesion/users']['post']>;
type User = paths['/cohesion/users']['get']['responses'][200]['content']['application/json']['data'][number];
type Token = paths['/cohesion/tokens']['get']['responses'][200]['content']['application/json']['data'][number];

const { shared, sections, users: words, tokens: tokenWords } = text.backOffice;

const abilities = ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'];

const fields = (user: User | null): Field<keyof NewUser>[] => [
  { name: 'name', label: shared.name, kind: 'text', initial: user?.name, placeholder: 'Aya Kouassi' },
  {
    name: 'role',
    label: shared.role,
    kind: 'choice',
    choices: ['admin', 'gestionnaire', 'lecteur'],
    initial: user?.role ?? 'lecteur',
  },
  {
    name: 'structure_ids',
    label: words.perimeter,
    kind: 'numbers',
    optional: true,
    emptyIsNull: true,
    initial: user?.structure_ids,
    help: words.perimeterHelp,
    placeholder: '1, 2',
  },
];

const tokenFields: Field<keyof NewToken>[] = [
  { name: 'name', label: shared.name, kind: 'text', placeholder: 'Tableau de bord' },
  { name: 'abilities', label: tokenWords.abilities, kind: 'choices', choices: abilities },
  {
    name: 'structure_ids',
    label: tokenWords.perimeter,
    kind: 'numbers',
    optional: true,
    emptyIsNull: true,
    help: tokenWords.perimeterHelp,
    placeholder: '1, 2',
  },
  { name: 'expires_at', label: tokenWords.expires, kind: 'instant', optional: true, help: tokenWords.expiresHelp },
];

const userOf = (id: string | number) => ({ params: { path: { id: Number(id) } } });

/** All tokens, each with the row that a caller's id opens. */
export const tokens: Resource<Token> = {
  name: 'tokens',
  title: tokenWords.title,
  description: tokenWords.description,
  empty: tokenWords.empty,
  load: async (query: QueryOf<paths['/cohesion/tokens']['get']>) => answer(api.GET('/cohesion/tokens', { params: { query } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ name }) => name,
  columns: [
    { header: shared.name, cell: ({ name }) => name },
    { header: tokenWords.abilities, cell: ({ abilities: held }) => held.join(', ') },
    { header: tokenWords.perimeter, cell: ({ structure_ids: ids }) => listed(ids) },
    { header: shared.lastUsed, cell: ({ last_used_at: at }) => <Time at={at} none={shared.never} /> },
    {
      header: tokenWords.expires,
      cell: ({ expires_at: at, revoked_at: revoked }) => (revoked ? tokenWords.revoked : <Time at={at} none={shared.never} />),
    },
  ],
  facts: (token) => [
    [shared.id, token.id],
    [
      tokenWords.user,
      <PageLink key="user" href={linkTo('/back-office/users', { row: String(token.user_id) })}>
        {tokenWords.userWith(token.user_id)}
      </PageLink>,
    ],
    ...tokens.columns.map(({ header, cell }) => [header, cell(token)] as const),
    [shared.created, <Time key="at" at={token.created_at} />],
    [
      tokenWords.calls,
      <PageLink key="calls" href={linkTo('/calls', { caller: `token:${token.id}` })}>
        {tokenWords.itsCalls}
      </PageLink>,
    ],
  ],
  actions: [
    {
      label: shared.revoke,
      offered: ({ revoked_at: at }) => at === null,
      consequences: [tokenWords.revocation, shared.cannotBeUndone],
      async run({ id, name }) {
        await answer(api.DELETE('/cohesion/tokens/{id}', userOf(id)));
        return { message: tokenWords.wasRevoked(name) };
      },
    },
  ],
};

const tokensOf = ({ id: userId }: User): Resource<Token> => ({
  ...tokens,
  name: `tokens of ${userId}`,
  description: '',
  empty: tokenWords.emptyOfUser,
  load: async (query) => answer(api.GET('/cohesion/tokens', { params: { query: { ...query, user_id: userId } } })),
  create: {
    label: tokenWords.create,
    fields: () => tokenFields,
    async run(_, values: NewToken) {
      const { data } = await answer(api.POST('/cohesion/users/{id}/tokens', { ...userOf(userId), body: values }));
      return { message: tokenWords.created(data.name), secret: { what: tokenWords.secret, text: data.token } };
    },
  },
});

export const users: Resource<User> = {
  name: 'users',
  title: sections.users,
  description: words.description,
  empty: words.empty,
  load: async (query: QueryOf<paths['/cohesion/users']['get']>) => answer(api.GET('/cohesion/users', { params: { query } })),
  read: (id) => dataOf(api.GET('/cohesion/users/{id}', userOf(id))),
  idOf: ({ id }) => String(id),
  titleOf: ({ name }) => name,
  columns: [
    { header: shared.name, cell: ({ name }) => name },
    { header: shared.role, kind: 'short', cell: ({ role }) => role },
    { header: shared.state, kind: 'status', cell: ({ active }) => <Active is={active} /> },
    { header: words.email, cell: ({ email }) => email },
    { header: shared.id, kind: 'short', cell: ({ id }) => id },
    { header: shared.created, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: (user) => [
    ...users.columns.map(({ header, cell }) => [header, cell(user)] as const),
    [words.perimeter, listed(user.structure_ids)],
    [text.partners.rows.label, <RowsOf key="rows" owner={`user:${user.id}`} calls={{ partner: `user:${user.id}` }} />],
  ],
  nested: (user) => [tokensOf(user), linksOf({ id: `user:${user.id}`, name: user.name })],
  create: {
    label: words.create,
    fields: () => [...fields(null), { name: 'email', label: words.email, kind: 'text', placeholder: 'aya.kouassi@example.org' }],
    async run(_, values: NewUser) {
      const { data } = await answer(api.POST('/cohesion/users', { body: values }));
      return { message: words.created(data.name), createdId: String(data.id) };
    },
  },
  actions: [
    {
      label: shared.edit,
      fields: (user) => [...fields(user), activeField(user.active)],
      async run({ id }, values: BodyOf<paths['/cohesion/users/{id}']['patch']>) {
        const { data } = await answer(api.PATCH('/cohesion/users/{id}', { ...userOf(id), body: values }));
        return { message: shared.wasChanged(data.name) };
      },
    },
  ],
};

import { plans } from '../../../../../../spec/documents/plans.ts';
import { answer, api, type BodyOf, dataOf, type paths } from '../../../lib/api.ts';
import { linkTo } from '../../../lib/filters.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { linksOf } from '../../../parts/profile-links.tsx';
import { Active, activeField, listed } from '../../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { RowsOf } from '../../../parts/rows-of.tsx';
import { Time } from '../../../parts/time.tsx';
import { text } from '../../../texts/index.ts';

type NewAccount = BodyOf<paths['/pos/accounts']['post']>;
type Account = paths['/pos/accounts']['get']['responses'][200]['content']['application/json']['data'][number];
type Key = paths['/pos/accounts/{id}/keys']['get']['responses'][200]['content']['application/json']['data'][number];

const { shared, sections, accounts: words } = text.backOffice;

const fields = (account: Account | null): Field<keyof NewAccount>[] => [
  { name: 'name', label: shared.name, kind: 'text', initial: account?.name, placeholder: 'Boutique Adjamé' },
  {
    name: 'plan',
    label: words.plan,
    kind: 'choice',
    choices: plans,
    initial: account?.plan ?? plans[0],
    help: words.planHelp,
  },
  {
    name: 'store_ids',
    label: words.stores,
    kind: 'list',
    optional: true,
    emptyIsNull: true,
    initial: account?.store_ids,
    help: words.storesHelp,
    placeholder: 'STORE-ABJ-01, STORE-BKE-01',
  },
];

const accountOf = (id: string) => ({ params: { path: { id } } });

const keysOf = ({ id: accountId }: Account): Resource<Key> => ({
  name: `keys of ${accountId}`,
  title: words.keys.title,
  description: '',
  empty: words.keys.empty,
  load: async (query) => answer(api.GET('/pos/accounts/{id}/keys', { params: { path: { id: accountId }, query } })),
  idOf: ({ api_key: key }) => key,
  titleOf: ({ api_key: key }) => key,
  columns: [
    { header: words.keys.key, cell: ({ api_key: key }) => <span className="mono">{key}</span> },
    { header: shared.created, cell: ({ created_at: at }) => <Time at={at} /> },
    { header: shared.lastUsed, cell: ({ last_used_at: at }) => <Time at={at} none={shared.never} /> },
    { header: words.keys.revoked, cell: ({ revoked_at: at }) => <Time at={at} none={shared.no} /> },
  ],
  create: {
    label: words.keys.create,
    async run() {
      const { data } = await answer(api.POST('/pos/accounts/{id}/keys', accountOf(accountId)));
      const secret = `api_key:    ${data.api_key}\napi_secret: ${data.api_secret}`;
      return { message: words.keys.created(data.api_key), secret: { what: words.keys.secret, text: secret } };
    },
  },
  actions: [
    {
      label: shared.revoke,
      offered: ({ revoked_at: at }) => at === null,
      consequences: [words.keys.revocation, shared.cannotBeUndone],
      async run({ api_key: key }) {
        const path = { id: accountId, api_key: key };
        await answer(api.DELETE('/pos/accounts/{id}/keys/{api_key}', { params: { path } }));
        return { message: words.keys.wasRevoked(key) };
      },
    },
  ],
});

export const accounts: Resource<Account> = {
  name: 'accounts',
  title: sections.accounts,
  description: words.description,
  empty: words.empty,
  load: async (query) => answer(api.GET('/pos/accounts', { params: { query } })),
  read: (id) => dataOf(api.GET('/pos/accounts/{id}', accountOf(id))),
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  columns: [
    { header: shared.name, cell: ({ name }) => name },
    { header: words.plan, kind: 'short', cell: ({ plan }) => plan },
    { header: shared.state, kind: 'status', cell: ({ active }) => <Active is={active} /> },
    { header: words.stores, cell: ({ store_ids: ids }) => listed(ids) },
    { header: shared.id, cell: ({ id }) => <span className="mono">{id}</span> },
    { header: shared.created, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: ({ id, plan, active, store_ids: ids, created_at: at }) => [
    [
      shared.id,
      <span key="id" className="mono">
        {id}
      </span>,
    ],
    [words.plan, plan],
    [shared.state, <Active key="active" is={active} />],
    [words.stores, listed(ids)],
    [shared.created, <Time key="at" at={at} />],
    [
      words.limits,
      <PageLink key="use" href={linkTo('/limits', { caller: `account:${id}` })}>
        {words.showLimits}
      </PageLink>,
    ],
    [text.partners.rows.label, <RowsOf key="rows" owner={`account:${id}`} calls={{ caller: `account:${id}` }} />],
  ],
  nested: (account) => [keysOf(account), linksOf({ id: `account:${account.id}`, name: account.name })],
  create: {
    label: words.create,
    fields: () => fields(null),
    async run(_, values: NewAccount) {
      const { data } = await answer(api.POST('/pos/accounts', { body: values }));
      return { message: words.created(data.name), createdId: data.id };
    },
  },
  actions: [
    {
      label: shared.edit,
      fields: (account) => [...fields(account), activeField(account.active)],
      async run({ id }, values: BodyOf<paths['/pos/accounts/{id}']['patch']>) {
        const { data } = await answer(api.PATCH('/pos/accounts/{id}', { ...accountOf(id), body: values }));
        return { message: shared.wasChanged(data.name) };
      },
    },
  ],
};

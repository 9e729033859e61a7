import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../../lib/api.ts';
import { linkTo } from '../../../lib/filters.ts';
import { Active, activeField, listed } from '../../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { Time } from '../../../parts/time.tsx';

type Account = paths['/pos/accounts']['get']['responses'][200]['content']['application/json']['data'][number];
type Key = paths['/pos/accounts/{id}/keys']['get']['responses'][200]['content']['application/json']['data'][number];

const fields = (account: Account | null): Field[] => [
  { name: 'name', label: 'Name', kind: 'text', initial: account?.name, placeholder: 'Boutique Adjamé' },
  {
    name: 'plan',
    label: 'Plan',
    kind: 'choice',
    choices: ['free', 'pro', 'enterprise'],
    initial: account?.plan ?? 'free',
    help: 'Free: 100 calls a minute, Pro: 1000, Enterprise: unlimited.',
  },
  {
    name: 'store_ids',
    label: 'Stores',
    kind: 'list',
    optional: true,
    emptyIsNull: true,
    initial: account?.store_ids,
    help: 'Ids separated by commas. Empty: all stores.',
    placeholder: 'STORE-ABJ-01, STORE-BKE-01',
  },
];

const accountOf = (id: string) => ({ params: { path: { id } } });

const keysOf = ({ id: accountId }: Account): Resource<Key> => ({
  name: `keys of ${accountId}`,
  title: 'API keys',
  description: '',
  empty: 'No keys yet. The account needs one to get a token.',
  load: async (query) => answer(api.GET('/pos/accounts/{id}/keys', { params: { path: { id: accountId }, query } })),
  idOf: ({ api_key: key }) => key,
  titleOf: ({ api_key: key }) => key,
  columns: [
    { header: 'Key', cell: ({ api_key: key }) => <span className="mono">{key}</span> },
    { header: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
    { header: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} none="never" /> },
    { header: 'Revoked', cell: ({ revoked_at: at }) => <Time at={at} none="no" /> },
  ],
  create: {
    label: 'Create key',
    async run() {
      const { data } = await answer(api.POST('/pos/accounts/{id}/keys', accountOf(accountId)));
      const text = `api_key:    ${data.api_key}\napi_secret: ${data.api_secret}`;
      return { message: `The key ${data.api_key} was created.`, secret: { what: "the key's secret", text } };
    },
  },
  actions: [
    {
      label: 'Revoke',
      offered: ({ revoked_at: at }) => at === null,
      consequences: ['Every token issued for this key is refused from the next call on.', 'This cannot be undone.'],
      async run({ api_key: key }) {
        const path = { id: accountId, api_key: key };
        await answer(api.DELETE('/pos/accounts/{id}/keys/{api_key}', { params: { path } }));
        return { message: `The key ${key} was revoked.` };
      },
    },
  ],
});

export const accounts: Resource<Account> = {
  name: 'accounts',
  title: 'Accounts',
  description: 'Accounts call the point-of-sale API. The plan limits their calls. A key and its secret get a token.',
  empty: 'Create an account, then a key for it.',
  load: async (query) => answer(api.GET('/pos/accounts', { params: { query } })),
  read: async (id) => (await answer(api.GET('/pos/accounts/{id}', accountOf(id)))).data,
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Plan', width: 110, cell: ({ plan }) => plan },
    { header: 'State', width: 110, cell: ({ active }) => <Active is={active} /> },
    { header: 'Stores', cell: ({ store_ids: ids }) => listed(ids) },
    { header: 'Id', cell: ({ id }) => <span className="mono">{id}</span> },
    { header: 'Created', width: 170, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: ({ id, plan, active, store_ids: ids, created_at: at }) => [
    [
      'Id',
      <span key="id" className="mono">
        {id}
      </span>,
    ],
    ['Plan', plan],
    ['State', <Active key="active" is={active} />],
    ['Stores', listed(ids)],
    ['Created', <Time key="at" at={at} />],
    [
      'Limits',
      <Anchor key="use" component={Link} size="sm" href={linkTo('/limits', { caller: `account:${id}` })}>
        show its calls and limits
      </Anchor>,
    ],
  ],
  nested: (account) => [keysOf(account)],
  create: {
    label: 'New account',
    fields: () => fields(null),
    async run(_, values) {
      const { data } = await answer(api.POST('/pos/accounts', { body: values as never }));
      return { message: `The account ${data.name} was created. Open it to create a key.`, createdId: data.id };
    },
  },
  actions: [
    {
      label: 'Edit',
      fields: (account) => [...fields(account), activeField(account.active)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/pos/accounts/{id}', { ...accountOf(id), body: values as never }));
        return { message: `${data.name} was changed.` };
      },
    },
  ],
};

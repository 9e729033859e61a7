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
    help: 'Ids with commas between. Empty: all stores.',
    placeholder: 'STORE-ABJ-01, STORE-BKE-01',
  },
];

const accountOf = (id: string) => ({ params: { path: { id } } });

const keysOf = ({ id: accountId }: Account): Resource<Key> => ({
  name: `keys of ${accountId}`,
  title: 'API keys',
  about: '',
  empty: 'No key yet: the account cannot get a token.',
  load: async (query) => answer(api.GET('/pos/accounts/{id}/keys', { params: { path: { id: accountId }, query } })),
  idOf: ({ api_key: key }) => key,
  titleOf: ({ api_key: key }) => key,
  columns: [
    { header: 'Key', cell: ({ api_key: key }) => <span className="mono">{key}</span> },
    { header: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
    { header: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} none="never" /> },
    { header: 'Revoked', cell: ({ revoked_at: at }) => <Time at={at} none="no" /> },
  ],
  create: {
    label: 'Make a key',
    async run() {
      const { data } = await answer(api.POST('/pos/accounts/{id}/keys', accountOf(accountId)));
      const text = `api_key:    ${data.api_key}\napi_secret: ${data.api_secret}`;
      return { said: `The key ${data.api_key} is made.`, secret: { what: "the key's secret", text } };
    },
  },
  actions: [
    {
      label: 'Revoke',
      offered: ({ revoked_at: at }) => at === null,
      consequences: ['Every token issued for it is refused from the next call on.', 'It cannot be undone.'],
      async run({ api_key: key }) {
        const path = { id: accountId, api_key: key };
        await answer(api.DELETE('/pos/accounts/{id}/keys/{api_key}', { params: { path } }));
        return { said: `The key ${key} is revoked.` };
      },
    },
  ],
});

export const accounts: Resource<Account> = {
  name: 'accounts',
  title: 'Accounts',
  about: 'Who calls the point of sale. The plan is what limits their calls; a key and its secret get them a token.',
  empty: 'Make one, then a key in it.',
  load: async (query) => answer(api.GET('/pos/accounts', { params: { query } })),
  read: async (id) => (await answer(api.GET('/pos/accounts/{id}', accountOf(id)))).data,
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Plan', width: 110, cell: ({ plan }) => plan },
    { header: 'State', width: 110, cell: ({ active }) => <Active is={active} /> },
    { header: 'Stores', wide: true, cell: ({ store_ids: ids }) => listed(ids) },
    { header: 'Id', wide: true, cell: ({ id }) => <span className="mono">{id}</span> },
    { header: 'Made', wide: true, width: 170, cell: ({ created_at: at }) => <Time at={at} /> },
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
    ['Made', <Time key="at" at={at} />],
    [
      'Use',
      <Anchor key="use" component={Link} size="sm" href={linkTo('/limits', { caller: `account:${id}` })}>
        against its limits
      </Anchor>,
    ],
  ],
  within: (account) => [keysOf(account)],
  create: {
    label: 'New account',
    fields: () => fields(null),
    async run(_, values) {
      const { data } = await answer(api.POST('/pos/accounts', { body: values as never }));
      return { said: `The account ${data.name} is made. It needs a key now.`, made: data.id };
    },
  },
  actions: [
    {
      label: 'Change',
      fields: (account) => [...fields(account), activeField(account.active)],
      async run({ id }, values) {
        const { data } = await answer(api.PATCH('/pos/accounts/{id}', { ...accountOf(id), body: values as never }));
        return { said: `${data.name} is changed.` };
      },
    },
  ],
};

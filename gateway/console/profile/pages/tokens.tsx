import { Frame } from '../../page/parts/frame.tsx';
import { listed } from '../../page/parts/resource/cells.tsx';
import type { Field, Resource } from '../../page/parts/resource/resource.ts';
import { ResourceList } from '../../page/parts/resource/resource-list.tsx';
import { Time } from '../../page/parts/time.tsx';
import { answer, type BodyOf, type paths, profile, type QueryOf } from '../lib/api.ts';
import { stateOfCredential } from '../lib/credentials.ts';
import { CredentialState } from '../parts/credential-state.tsx';
import { text } from '../texts/index.ts';

type NewToken = BodyOf<paths['/tokens']['post']>;

const { tokens: texts, ...shared } = text.credentials;

const abilities = ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'];

const fields: readonly Field<keyof NewToken>[] = [
  { name: 'name', label: texts.name, kind: 'text', help: texts.nameHelp, placeholder: 'Tableau de bord' },
  { name: 'abilities', label: texts.abilities, kind: 'choices', choices: abilities, help: texts.abilitiesHelp },
  {
    name: 'structure_ids',
    label: texts.structures,
    kind: 'numbers',
    optional: true,
    emptyIsNull: true,
    help: texts.structuresHelp,
    placeholder: '1, 2',
  },
  { name: 'expires_at', label: texts.expiry, kind: 'instant', optional: true, help: texts.expiryHelp },
];

const tokens: Resource<paths['/tokens']['get']['responses'][200]['content']['application/json']['data'][number]> = {
  name: 'tokens',
  title: texts.title,
  description: texts.description,
  empty: texts.empty,
  load: async (query: QueryOf<paths['/tokens']['get']>) => answer(profile.GET('/tokens', { params: { query } })),
  idOf: ({ id }) => String(id),
  titleOf: ({ name }) => name,
  columns: [
    { header: texts.name, cell: ({ name }) => name },
    { header: shared.state, kind: 'status', cell: (token) => <CredentialState of={token} /> },
    { header: texts.abilities, cell: ({ abilities: held }) => held.join(', ') },
    { header: texts.structures, kind: 'name', cell: ({ structure_ids: ids }) => listed(ids, text.you) },
    { header: shared.lastUsed, kind: 'time', cell: ({ last_used_at: at }) => <Time at={at} none={shared.never} /> },
    { header: shared.expires, kind: 'time', cell: ({ expires_at: at }) => <Time at={at} none={shared.noExpiry} /> },
  ],
  facts: (token) => [
    ...tokens.columns.map(({ header, cell }) => [header, cell(token)] as const),
    [shared.from, token.last_used_ip ?? '–'],
    [shared.created, <Time key="created" at={token.created_at} />],
  ],
  create: {
    label: texts.create,
    fields: () => fields,
    async run(_, values: NewToken) {
      const { data } = await answer(profile.POST('/tokens', { body: values }));
      return { message: texts.created, secret: { what: texts.what, text: data.token } };
    },
  },
  actions: [
    {
      label: texts.revoke,
      offered: (token) => stateOfCredential(token) === 'active',
      consequences: texts.consequences,
      async run({ id }) {
        await answer(profile.POST('/tokens/{id}/revoke', { params: { path: { id } } }));
        return { message: texts.revoked };
      },
    },
  ],
};

/** The personal access tokens of a user. */
export default function Tokens() {
  return (
    <Frame title={texts.title}>
      <ResourceList resource={tokens} path="/tokens" />
    </Frame>
  );
}

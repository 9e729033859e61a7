import { Frame } from '../../page/parts/frame.tsx';
import type { Resource } from '../../page/parts/resource/resource.ts';
import { ResourceList } from '../../page/parts/resource/resource-list.tsx';
import { Time } from '../../page/parts/time.tsx';
import { answer, type BodyOf, type paths, profile, type QueryOf } from '../lib/api.ts';
import { stateOfCredential } from '../lib/credentials.ts';
import { CredentialState } from '../parts/credential-state.tsx';
import { text } from '../texts/index.ts';

type Key = paths['/keys']['get']['responses'][200]['content']['application/json']['data'][number];

const { keys: texts, ...shared } = text.credentials;

const secretOf = ({ api_key, api_secret }: { api_key: string; api_secret: string }) => ({
  what: texts.what,
  text: `api_key: ${api_key}\napi_secret: ${api_secret}`,
});

const isActive = (key: Key) => stateOfCredential(key) === 'active';

const keys: Resource<Key> = {
  name: 'keys',
  title: texts.title,
  description: texts.description,
  empty: texts.empty,
  load: async (query: QueryOf<paths['/keys']['get']>) => answer(profile.GET('/keys', { params: { query } })),
  idOf: ({ api_key }) => api_key,
  titleOf: ({ api_key }) => api_key,
  columns: [
    { header: texts.key, cell: ({ api_key }) => <span className="mono">{api_key}</span> },
    { header: shared.state, kind: 'status', cell: (key) => <CredentialState of={key} /> },
    { header: shared.lastUsed, kind: 'time', cell: ({ last_used_at: at }) => <Time at={at} none={shared.never} /> },
    { header: shared.expires, kind: 'time', cell: ({ expires_at: at }) => <Time at={at} none={shared.noExpiry} /> },
    { header: shared.created, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  create: {
    label: texts.create,
    async run() {
      const { data } = await answer(profile.POST('/keys'));
      return { message: texts.created, secret: secretOf(data) };
    },
  },
  actions: [
    {
      label: texts.rotate,
      offered: isActive,
      fields: () => [{ name: 'overlap_hours', label: texts.overlap, kind: 'number', initial: 24, help: texts.overlapHelp }],
      async run({ api_key: id }, values: BodyOf<paths['/keys/{id}/rotate']['post']>) {
        const { data } = await answer(profile.POST('/keys/{id}/rotate', { params: { path: { id } }, body: values }));
        return { message: texts.rotated, secret: secretOf(data) };
      },
    },
    {
      label: texts.revoke,
      offered: isActive,
      consequences: texts.consequences,
      async run({ api_key: id }) {
        // The dialog was the confirmation.
        await answer(profile.POST('/keys/{id}/revoke', { params: { path: { id } }, body: { confirm: true } }));
        return { message: texts.revoked };
      },
    },
  ],
};

/** The API keys of an account. */
export default function Keys() {
  return (
    <Frame title={texts.title}>
      <ResourceList resource={keys} path="/keys" />
    </Frame>
  );
}

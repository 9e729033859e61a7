import type { Resource } from '../../../page/parts/resource/resource.ts';
import { Status } from '../../../page/parts/status.tsx';
import { Time } from '../../../page/parts/time.tsx';
import { answer, type BodyOf, dataOf, type paths, profile } from '../../lib/api.ts';
import { text } from '../../texts/index.ts';

type Address = paths['/alerts']['get']['responses'][200]['content']['application/json']['data']['addresses'][number];

const texts = text.alerts.list;

const isWaiting = ({ confirmed_at: at }: Address) => at === null;

function State({ of }: { of: Address }) {
  const state = isWaiting(of) ? 'pending' : 'active';
  return <Status of={state} label={texts.state[state]} />;
}

const of = (id: string) => ({ params: { path: { id } } });

/** Sends a code to an address, which is added if it is new. */
async function sendCode(address: string) {
  const { data } = await answer(profile.POST('/alerts/addresses', { body: { address } }));
  const { ok, answer: said } = data.sent;
  const message = ok ? texts.codeSent(address) : texts.codeNotSent(address);
  return { message, says: { ok, text: said }, createdId: data.id };
}

/** The addresses that a partner added. */
export const addresses: Resource<Address> = {
  name: 'alert addresses',
  title: text.alerts.addresses,
  description: texts.description,
  empty: texts.empty,
  load: async () => ({ data: (await dataOf(profile.GET('/alerts'))).addresses, next: null }),
  idOf: ({ id }) => id,
  titleOf: ({ address }) => address,
  columns: [
    { header: texts.columns.address, cell: ({ address }) => address },
    { header: texts.columns.state, kind: 'status', cell: (address) => <State of={address} /> },
    { header: texts.columns.added, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: (address) => [
    [texts.columns.state, <State key="state" of={address} />],
    [texts.columns.added, <Time key="added" at={address.created_at} />],
    ...(address.code_expires_at === null ? [] : ([[texts.codeEnds, <Time key="ends" at={address.code_expires_at} />]] as const)),
  ],
  create: {
    label: texts.add,
    fields: () => [
      { name: 'address', label: texts.address, kind: 'text', help: texts.addressHelp, placeholder: 'awa@example.org' },
    ],
    run: (_, values) => sendCode(String(values.address)),
  },
  actions: [
    {
      label: texts.confirm,
      offered: isWaiting,
      fields: () => [{ name: 'secret_code', label: texts.code, kind: 'text', help: texts.codeHelp }],
      async run({ id, address }, values: BodyOf<paths['/alerts/addresses/{id}/confirm']['post']>) {
        await answer(profile.POST('/alerts/addresses/{id}/confirm', { ...of(id), body: values }));
        return { message: texts.isConfirmed(address) };
      },
    },
    {
      label: texts.again,
      offered: isWaiting,
      async run({ address }) {
        const { message, says } = await sendCode(address);
        return { message, says };
      },
    },
    {
      label: texts.remove,
      consequences: texts.removal,
      async run({ id, address }) {
        await answer(profile.DELETE('/alerts/addresses/{id}', of(id)));
        return { message: texts.removed(address) };
      },
    },
  ],
};

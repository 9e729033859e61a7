import { Text } from '@mantine/core';
import { answer, api, type paths } from '../lib/api.ts';
import { text } from '../texts/index.ts';
import type { DrawerProps } from './endpoint/drawers.tsx';
import { NestedList } from './resource/nested-list.tsx';
import type { Resource } from './resource/resource.ts';
import { SideDrawer } from './side-drawer.tsx';
import { Time } from './time.tsx';

type Link = paths['/profile-links']['get']['responses'][200]['content']['application/json']['data'][number];

const says = text.partners.links;
const { shared } = text.backOffice;

/** The links to the profile of an account (`account:ID`) or user (`user:ID`). */
export const linksOf = ({ id: owner, name }: { id: string; name: string }): Resource<Link> => ({
  name: `links of ${owner}`,
  title: says.title,
  description: says.about,
  empty: says.empty,
  load: async (query) => answer(api.GET('/profile-links', { params: { query: { ...query, owner } } })),
  idOf: ({ id }) => id,
  titleOf: () => name,
  columns: [
    { header: shared.created, cell: ({ created_at: at }) => <Time at={at} /> },
    { header: says.state, cell: (link) => <LinkState of={link} /> },
    { header: says.by, cell: ({ created_by: by }) => by },
  ],
  create: {
    label: says.create,
    fields: () => [
      {
        name: 'expires_in_minutes',
        label: says.expires,
        kind: 'choice',
        choices: Object.keys(says.lifetimes),
        labels: says.lifetimes,
        initial: 60,
        help: says.expiresHelp,
      },
      { name: 'read_only', label: says.readOnly, kind: 'flag', help: says.readOnlyHelp },
    ],
    async run(_, { expires_in_minutes: minutes, ...values }) {
      const body = { ...values, owner, expires_in_minutes: Number(minutes) };
      const { data } = await answer(api.POST('/profile-links', { body }));
      return { message: says.created, secret: { what: says.secret(name), text: data.url } };
    },
  },
  actions: [
    {
      label: shared.revoke,
      // The session of a link lives on after it.
      offered: (link) => link.used_at !== null || isUsable(link),
      consequences: [says.revocation, shared.cannotBeUndone],
      async run({ id }) {
        await answer(api.DELETE('/profile-links/{id}', { params: { path: { id } } }));
        return { message: says.wasRevoked };
      },
    },
  ],
});

const isUsable = ({ used_at, expires_at }: Link) => used_at === null && Date.parse(expires_at) > Date.now();

function LinkState({ of: link }: { of: Link }) {
  const { used_at: used, expires_at: end, read_only: isForReading } = link;
  return (
    <>
      {used !== null ? says.used(<Time at={used} />) : isUsable(link) ? says.usable(<Time at={end} />) : says.ended}
      {isForReading && (
        <Text span size="xs" c="dimmed" display="block">
          {says.reading}
        </Text>
      )}
    </>
  );
}

export const ProfileLinks = ({ owner, ...drawer }: DrawerProps & { owner: { id: string; name: string } }) => (
  <SideDrawer title={says.of(owner.name)} {...drawer}>
    <NestedList resource={linksOf(owner)} />
  </SideDrawer>
);

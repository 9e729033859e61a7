import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { ConsumerPage } from '../../parts/consumer-page.tsx';
import type { Consumer } from '../../parts/consumers.tsx';
import { Owner } from '../../parts/owner.tsx';
import { text } from '../../texts/index.ts';

/** A pull consumer of any partner. */
export default function ConsumerOfAny({ params: { id = '' } }: PageProps) {
  const path = { params: { path: { id } } };
  return (
    <ConsumerPage
      of={id}
      list={text.endpoints.title}
      read={async () => (await answer(api.GET('/consumers/{id}', path))).data}
      readLedger={async () => (await answer(api.GET('/consumers/{id}/ledger', path))).data}
      ownerOf={({ owner }) => <Owner of={owner} />}
      events={(consumer) => <Events of={consumer} />}
    />
  );
}

const serviceOfKind = { account: 'pos', user: 'cohesion' } as const;

/** Lists of events have no filter by owner, so these are all of the service. */
function Events({ of: { owner, types, lag } }: { of: Consumer }) {
  if (lag.oldest_at === null || owner.kind === null) return null;
  const [type] = types?.length === 1 ? types : [];
  return (
    <Anchor
      component={Link}
      size="sm"
      href={linkTo('/events', { service: serviceOfKind[owner.kind], type, from: lag.oldest_at })}
    >
      {text.parts.consumers.showWaiting}
    </Anchor>
  );
}

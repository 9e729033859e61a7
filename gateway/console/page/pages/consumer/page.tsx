import { api, dataOf } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { ConsumerPage } from '../../parts/consumer-page.tsx';
import type { Consumer } from '../../parts/consumers.tsx';
import { Owner } from '../../parts/owner.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { text } from '../../texts/index.ts';

export default function ConsumerOfAny({ params: { id = '' } }: PageProps) {
  const path = { params: { path: { id } } };
  return (
    <ConsumerPage
      of={id}
      list={text.endpoints.title}
      read={() => dataOf(api.GET('/consumers/{id}', path))}
      readLedger={() => dataOf(api.GET('/consumers/{id}/ledger', path))}
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
    <PageLink href={linkTo('/events', { service: serviceOfKind[owner.kind], type, from: lag.oldest_at })}>
      {text.parts.consumers.showWaiting}
    </PageLink>
  );
}

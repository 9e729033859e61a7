import type { PageProps } from '../../page/lib/page-props.ts';
import { ConsumerPage } from '../../page/parts/consumer-page.tsx';
import { dataOf, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

/** A pull consumer of the partner. */
export default function OwnConsumer({ params: { name = '' } }: PageProps) {
  const path = { params: { path: { name } } };
  return (
    <ConsumerPage
      of={name}
      list={text.webhooks.title}
      read={() => dataOf(profile.GET('/consumers/{name}', path))}
      readLedger={() => dataOf(profile.GET('/consumers/{name}/ledger', path))}
    />
  );
}

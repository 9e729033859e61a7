import type { PageProps } from '../../lib/page-props.ts';
import { Frame } from '../../parts/frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Documents } from './documents.tsx';
import { Gaps } from './gaps.tsx';
import { Verifications } from './verifications.tsx';

const parts = [
  { path: 'gaps', title: 'Gap register', part: Gaps },
  { path: 'verifications', title: 'Verifications', part: Verifications },
  { path: 'documents', title: 'OpenAPI documents', part: Documents },
] as const;

const hrefOf = (path: string) => `/contracts/${path}`;
const tabs = parts.map(({ path, title }) => ({ href: hrefOf(path), title }));

/** The gap register, published verifications of the pacts, and the OpenAPI documents. */
export default function Contracts({ params }: PageProps) {
  const shown = params.part === undefined ? parts[0] : parts.find(({ path }) => path === params.part);
  return (
    <Frame title={shown?.title ?? 'Contracts'}>
      <Tabs label="Contracts" tabs={tabs} current={hrefOf(shown?.path ?? '')} />
      {shown ? <shown.part /> : <Problem title="There is no such page" next="Choose one of the tabs above." />}
    </Frame>
  );
}

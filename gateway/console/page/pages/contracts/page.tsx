import type { PageProps } from '../../lib/page-props.ts';
import { Frame } from '../../parts/frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { text } from '../../texts/index.ts';
import { Documents } from './documents.tsx';
import { Gaps } from './gaps.tsx';
import { Verifications } from './verifications.tsx';

const { title, tabs: titles } = text.contracts;

const parts = [
  { path: 'gaps', title: titles.gaps, part: Gaps },
  { path: 'verifications', title: titles.verifications, part: Verifications },
  { path: 'documents', title: titles.documents, part: Documents },
] as const;

const hrefOf = (path: string) => `/contracts/${path}`;
const tabs = parts.map((part) => ({ href: hrefOf(part.path), title: part.title }));

/** The gap register, published verifications of the pacts, and the OpenAPI documents. */
export default function Contracts({ params }: PageProps) {
  const shown = params.part === undefined ? parts[0] : parts.find(({ path }) => path === params.part);
  return (
    <Frame title={shown?.title ?? title}>
      <Tabs label={title} tabs={tabs} current={hrefOf(shown?.path ?? '')} />
      {shown ? <shown.part /> : <Problem {...text.parts.noSuchTab} />}
    </Frame>
  );
}

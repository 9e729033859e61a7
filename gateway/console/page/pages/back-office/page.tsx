import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { useCatalogue } from '../../lib/event-types.ts';
import { useFilters } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { text } from '../../texts/index.ts';
import { sections } from './sections.ts';

const { title, lists } = text.backOffice;

const hrefOf = (path: string) => `/back-office/${path}`;

/** The sections of the services that this gateway serves. Empty while loading. */
function useSections(): typeof sections {
  const { data } = useCatalogue();
  return useMemo(() => (data ? sections.filter(({ service }) => data.some((type) => type.service === service)) : []), [data]);
}

/** The changes to the two domains that neither document has an operation for. */
export default function BackOffice({ params }: PageProps) {
  const [{ of: named }, change] = useFilters();
  const served = useSections();
  const section = params.part === undefined ? served[0] : sections.find(({ path }) => path === params.part);
  const tabs = served.map((one) => ({ href: hrefOf(one.path), title: one.title }));
  const resource = section?.resources.find(({ name }) => name === named) ?? section?.resources[0];
  return (
    <Frame title={section?.title ?? title}>
      <Tabs label={title} tabs={tabs} current={hrefOf(section?.path ?? '')} />
      {section && section.resources.length > 1 && (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label={lists}
          value={resource?.name ?? ''}
          onChange={(name) => change({ of: name === section.resources[0]?.name ? undefined : name, row: undefined })}
          data={section.resources.map((one) => ({ value: one.name, label: one.title }))}
        />
      )}
      {section && resource ? (
        <ResourceList key={resource.name} resource={resource} path={hrefOf(section.path)} />
      ) : params.part === undefined ? (
        <Loading />
      ) : (
        <Problem {...text.parts.noSuchTab} />
      )}
    </Frame>
  );
}

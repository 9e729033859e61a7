import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { useCatalogue } from '../../lib/event-types.ts';
import { useFilters } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { Frame } from '../../parts/frame.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { parts } from './sections.ts';

const hrefOf = (path: string) => `/back-office/${path}`;

/** The parts of the APIs that are served here, once that is known. */
function useParts(): typeof parts {
  const { data } = useCatalogue();
  return useMemo(() => (data ? parts.filter(({ service }) => data.some((type) => type.service === service)) : []), [data]);
}

/** What moves the two domains, for which neither document shows an operation. */
export default function BackOffice({ params }: PageProps) {
  const [{ of: named }, change] = useFilters();
  const served = useParts();
  const part = params.part === undefined ? served[0] : parts.find(({ path }) => path === params.part);
  const tabs = served.map(({ path, title }) => ({ href: hrefOf(path), title }));
  const resource = part?.resources.find(({ name }) => name === named) ?? part?.resources[0];
  return (
    <Frame title={part?.title ?? 'Back office'}>
      <Tabs label="Parts of the back office" tabs={tabs} at={hrefOf(part?.path ?? '')} />
      {part && part.resources.length > 1 && (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label="Which list"
          value={resource?.name ?? ''}
          onChange={(name) => change({ of: name === part.resources[0]?.name ? undefined : name, row: undefined })}
          data={part.resources.map(({ name, title }) => ({ value: name, label: title }))}
        />
      )}
      {part && resource ? (
        <ResourceList key={resource.name} resource={resource} path={hrefOf(part.path)} />
      ) : params.part === undefined ? (
        <Waiting />
      ) : (
        <Problem title="There is no such part of the back office" next="The parts are above." />
      )}
    </Frame>
  );
}

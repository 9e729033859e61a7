import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { answer, api, type paths } from '../../lib/api.ts';
import { stateOf } from '../../lib/endpoint-state.ts';
import { readEndpointFigures } from '../../lib/figures.ts';
import { choices, useFilters } from '../../lib/filters.ts';
import { eventServices } from '../../lib/services.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NewEndpointDrawer } from '../../parts/endpoint/drawers.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type RowTone } from '../../parts/list.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { Total } from '../../parts/total.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';
import { columns } from './columns.tsx';
import type { EndpointRow } from './endpoint-row.ts';

type Query = NonNullable<paths['/endpoints']['get']['parameters']['query']>;

const idOf = ({ id }: EndpointRow) => id;
const hrefOf = ({ id }: EndpointRow) => `/endpoints/${id}`;
function toneOf(row: EndpointRow): RowTone {
  const { tone } = stateOf(row);
  if (tone === 'error' || tone === 'warning') return tone;
  return row.active && (row.figures?.success_rate ?? 1) < 0.9 ? 'warning' : undefined;
}

const filters: readonly Filter[] = [
  { name: 'q', label: 'URL or description', kind: 'search', placeholder: 'part of it (/)' },
  { name: 'partner', label: 'Partner', kind: 'text', width: 150, placeholder: 'part of a name' },
  { name: 'service', label: 'Service', kind: 'choice', choices: choices(eventServices) },
  {
    name: 'state',
    label: 'State',
    kind: 'choice',
    choices: [
      { value: 'ok', label: 'active' },
      { value: 'held', label: 'held or probing' },
      { value: 'disabled', label: 'paused or disabled' },
    ],
  },
];

/** The endpoints with their health. */
export default function Endpoints() {
  const [values, change] = useFilters();
  const [opened, { open, close }] = useDisclosure(values.new === '1');
  const shown = useMemo(
    () => Object.fromEntries(filters.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]]))),
    [values],
  );
  const load = useCallback(
    async (cursor: string | undefined) => {
      // The API validates the filters in the address.
      const query = { ...shown, cursor, limit: 50 } as Query;
      const page = await answer(api.GET('/endpoints', { params: { query } }));
      const figures = await readEndpointFigures(
        page.data.map(({ id }) => id),
        'hour',
      );
      return { ...page, data: page.data.map((endpoint, index): EndpointRow => ({ ...endpoint, figures: figures[index] })) };
    },
    [shown],
  );
  return (
    <Frame
      title="Endpoints"
      actions={
        <>
          <SavedViews list="endpoints" values={shown} />
          <ExportMenu list="endpoints" values={shown} />
          <ChangeButton variant="filled" leftSection={<IconPlus size={15} aria-hidden />} onClick={open}>
            New endpoint
          </ChangeButton>
        </>
      }
    >
      <UnknownFilters list="endpoints" values={values} others={['new']} change={change} />
      <FilterBar filters={filters} values={shown} change={change} />
      <Text size="xs" c="dimmed">
        Figures are of the last hour and update live. Dead letters include those recovered since.
      </Text>
      <List
        label="Endpoints, newest first"
        total={<Total list="endpoints" values={shown} live />}
        queryKey={['endpoints', 'list', shown]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        toneOf={toneOf}
        live
        empty={
          Object.keys(shown).length > 0 ? (
            <Empty title="No matching endpoints">Remove a filter.</Empty>
          ) : (
            <Empty title="No endpoints yet">
              An endpoint is a URL of yours that receives events as signed webhooks. Create one with “New endpoint”, then send it
              a test event.
            </Empty>
          )
        }
      />
      <NewEndpointDrawer
        opened={opened}
        close={() => {
          close();
          change({ new: undefined });
        }}
      />
    </Frame>
  );
}

import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
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
import { IconPlus } from '../../parts/icons/tabler.ts';
import { List, type RowTone } from '../../parts/list.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { OwnerChoice } from '../../parts/owner-choice.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.ts';
import { SavedViews } from '../../parts/saved-views.tsx';
import { Total } from '../../parts/total.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';
import { text } from '../../texts/index.ts';
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

const fixedFilters: readonly Filter[] = [
  { name: 'q', kind: 'search', ...text.endpoints.filters.text },
  { name: 'partner', kind: 'text', width: 150, ...text.endpoints.filters.partner },
  { name: 'service', label: text.endpoints.filters.service, kind: 'choice', choices: choices(eventServices) },
  {
    name: 'state',
    label: text.endpoints.filters.state,
    kind: 'choice',
    choices: Object.entries(text.endpoints.states).map(([value, label]) => ({ value, label })),
  },
];

/** The endpoints with their health. */
export default function Endpoints() {
  const [values, change] = useFilters();
  const [opened, { open, close }] = useDisclosure(values.new === '1');
  const ownerFilter = useOwnerFilter(values.owner);
  const filters = useMemo(() => [...fixedFilters, ...ownerFilter], [ownerFilter]);
  const shown = useMemo(
    () => Object.fromEntries(filters.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]]))),
    [values, filters],
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
      title={text.endpoints.title}
      actions={
        <>
          <SavedViews list="endpoints" values={shown} />
          <ExportMenu list="endpoints" values={shown} />
          <ChangeButton variant="filled" leftSection={<IconPlus size={15} aria-hidden />} onClick={open}>
            {text.endpoints.create}
          </ChangeButton>
        </>
      }
    >
      <UnknownFilters list="endpoints" values={values} others={['new']} change={change} />
      <FilterBar filters={filters} values={shown} change={change} />
      <Text size="xs" c="dimmed">
        {text.endpoints.period}
      </Text>
      <List
        label={text.endpoints.list}
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
            <NoMatch list="endpoints" values={shown} {...text.endpoints.noMatch} />
          ) : (
            <Empty title={text.endpoints.none.title} action={<ChangeButton onClick={open}>{text.endpoints.create}</ChangeButton>}>
              {text.endpoints.none.next}
            </Empty>
          )
        }
      />
      <NewEndpointDrawer
        ownerField={(field) => <OwnerChoice {...field} />}
        opened={opened}
        close={() => {
          close();
          change({ new: undefined });
        }}
      />
    </Frame>
  );
}

import { Button } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { pickFilters, useFilters, withStartTime } from '../../page/lib/filters.ts';
import { reasons } from '../../page/lib/reasons.ts';
import { ChangeButton } from '../../page/parts/change-button.tsx';
import { Result } from '../../page/parts/delivery/result.tsx';
import { TestBadge } from '../../page/parts/delivery/test-badge.tsx';
import { Empty, NothingMatches } from '../../page/parts/empty.tsx';
import { ExportMenu } from '../../page/parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../page/parts/filter-bar.tsx';
import { Frame } from '../../page/parts/frame.tsx';
import { IconRotateClockwise } from '../../page/parts/icons/tabler.ts';
import { List, type ListColumn } from '../../page/parts/list.tsx';
import { RetryDrawer } from '../../page/parts/retry/drawer.tsx';
import { Status } from '../../page/parts/status.tsx';
import { Time } from '../../page/parts/time.tsx';
import { Total } from '../../page/parts/total.tsx';
import { answer, type paths, profile } from '../lib/api.ts';
import { useEventTypes } from '../lib/event-types.ts';
import { owed } from '../lib/owed.ts';
import { choicesOf, nameOf, useOwnEndpoints } from '../lib/own-endpoints.ts';
import { useSession } from '../lib/session.ts';
import { EndpointName } from '../parts/endpoint-name.tsx';
import { text } from '../texts/index.ts';

const texts = text.deliveries;

type Query = NonNullable<paths['/deliveries']['get']['parameters']['query']>;
type Delivery = paths['/deliveries']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Delivery) => id;
const hrefOf = ({ id }: Delivery) => `/deliveries/${id}`;
const toneOf = ({ status }: Delivery) => (status === 'failed' ? 'error' : undefined);

/** The filters in the address. Recoveries take them too. */
const names = ['q', 'status', 'reason', 'endpoint_id', 'event_type', 'from', 'to'];

/** The deliveries to the partner's endpoints. New ones appear on top. */
export default function Deliveries() {
  const [values, change] = useFilters();
  const { retry, recovery } = values;
  const filter = useMemo(() => pickFilters(values, [...names, 'since']), [values]);
  const [live, setLive] = useState(true);
  const endpoints = useOwnEndpoints();
  const filters = useDeliveryFilters();
  const columns = useColumns();
  const load = useCallback(
    async (cursor: string | undefined) => {
      // The API validates the filters in the address.
      const query = { ...pickFilters(withStartTime(filter, Date.now()), names), cursor, limit: 50 } as Query;
      return answer(profile.GET('/deliveries', { params: { query } }));
    },
    [filter],
  );
  return (
    <Frame
      title={texts.title}
      actions={
        <>
          <ChangeButton
            leftSection={<IconRotateClockwise size={14} aria-hidden />}
            disabled={values.status === 'delivered'}
            onClick={() => change({ retry: '1' })}
          >
            {texts.retryAll}
          </ChangeButton>
          <ExportMenu list="deliveries" values={filter} />
        </>
      }
    >
      <FilterBar
        filters={filters}
        values={filter}
        change={change}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label={texts.list}
        total={<Total list="deliveries" values={filter} live={live} />}
        queryKey={['deliveries', filter]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        toneOf={toneOf}
        empty={
          Object.keys(filter).length > 0 ? (
            <NothingMatches title={texts.none.matching} filters={filter}>
              {texts.none.matchingHow}
            </NothingMatches>
          ) : (
            <Empty
              title={texts.none.yet}
              action={
                <Button component={Link} href="/endpoints" size="xs" variant="default">
                  {texts.none.endpoints}
                </Button>
              }
            >
              {texts.none.yetHow}
            </Empty>
          )
        }
      />
      <RetryDrawer
        owed={owed}
        filter={filter}
        endpointName={values.endpoint_id && nameOf(endpoints, values.endpoint_id)}
        opened={retry === '1' || recovery !== undefined}
        recovery={recovery}
        show={(started) => change({ retry: undefined, recovery: started })}
        close={() => change({ retry: undefined, recovery: undefined })}
      />
    </Frame>
  );
}

const states = Object.entries(texts.states).map(([value, label]) => ({ value, label }));

function useDeliveryFilters(): Filter[] {
  const endpoints = useOwnEndpoints();
  const types = useEventTypes();
  return useMemo<Filter[]>(
    () => [
      { name: 'q', label: texts.filters.q, kind: 'search', placeholder: texts.filters.qExample },
      { name: 'status', label: texts.filters.status, kind: 'choice', choices: states },
      {
        name: 'endpoint_id',
        label: texts.filters.endpoint,
        kind: 'choice',
        choices: choicesOf(endpoints),
        width: 200,
      },
      { name: 'since', label: texts.filters.time, kind: 'time' },
      {
        name: 'reason',
        label: texts.filters.error,
        kind: 'choice',
        // The others say who asked for an attempt.
        choices: reasons.filter(({ kind }) => kind !== 'operator').map(({ reason, title }) => ({ value: reason, label: title })),
        width: 150,
      },
      {
        name: 'event_type',
        label: texts.filters.event,
        kind: 'choice',
        choices: types.map(({ type }) => ({ value: type, label: type })),
        width: 150,
      },
    ],
    [endpoints, types],
  );
}

function useColumns(): ListColumn<Delivery>[] {
  const { kind } = useSession();
  const endpoints = useOwnEndpoints();
  return useMemo(
    () => [
      { header: texts.columns.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
      { header: texts.columns.status, kind: 'status', cell: ({ status }) => <Status of={status} /> },
      { header: texts.columns.event, kind: 'name', cell: ({ event_type }) => event_type },
      {
        header: texts.columns.subject[kind],
        kind: 'short',
        cell: ({ test, subject, subject_name }) => (test ? <TestBadge /> : (subject_name ?? subject)),
      },
      { header: texts.columns.endpoint, cell: ({ endpoint_id }) => <EndpointName id={endpoint_id} endpoints={endpoints} /> },
      { header: texts.columns.attempts, kind: 'number', cell: ({ attempts }) => attempts },
      { header: texts.columns.result, cell: (delivery) => <Result of={delivery} /> },
    ],
    [endpoints, kind],
  );
}

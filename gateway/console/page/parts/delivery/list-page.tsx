import { answer, api, type paths } from '../../lib/api.ts';
import { choices, labelled, useFilters } from '../../lib/filters.ts';
import type { Reason } from '../../lib/reasons.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { ExportMenu } from '../export-menu.tsx';
import type { Filter } from '../filter-bar.tsx';
import type { FilteredList, FilteredListProps } from '../filtered-list.tsx';
import { Frame } from '../frame.tsx';
import { IconRotateClockwise } from '../icons/tabler.ts';
import type { ListColumn } from '../list.tsx';
import { RetryDrawer, type RetryDrawerProps } from '../retry/drawer.tsx';
import { Status } from '../status.tsx';
import { Time } from '../time.tsx';
import { TwoLines } from '../two-lines.tsx';
import { Result } from './result.tsx';

const says = text.deliveries;

type Query = NonNullable<paths['/deliveries']['get']['parameters']['query']>;

/** A delivery in a list. Partners get neither its `url` nor its `owner`. */
export type ListedDelivery = paths['/deliveries']['get']['responses'][200]['content']['application/json']['data'][number];

interface DeliveriesPageProps
  extends Pick<FilteredListProps<ListedDelivery>, 'values' | 'shown' | 'change' | 'filters' | 'none'>,
    Pick<RetryDrawerProps, 'endpointName' | 'owed'> {
  List: typeof FilteredList;
  /** What it is about, and to whom it goes. */
  about: readonly ListColumn<ListedDelivery>[];
  /** Whether the button that sends the listed deliveries now can be used. */
  retry: 'enabled' | 'disabled' | 'left out';
}

/** The deliveries. The dialog that sends them now is in the address. */
export function DeliveriesPage({ List, about, retry, endpointName, owed, ...list }: DeliveriesPageProps) {
  const [, change] = useFilters();
  return (
    <Frame
      title={says.title}
      actions={
        <>
          {retry !== 'left out' && (
            <ChangeButton
              leftSection={<IconRotateClockwise size={14} aria-hidden />}
              disabled={retry === 'disabled'}
              onClick={() => change({ retry: '1' })}
            >
              {says.retry}
            </ChangeButton>
          )}
          <ExportMenu list="deliveries" values={list.values} />
        </>
      }
    >
      <List
        {...list}
        list="deliveries"
        label={says.list}
        read={read}
        columns={[...first, ...about, list.values.blocking ? holdsBack : attempts, result]}
        toneOf={toneOf}
        noMatch={says.noMatch}
      />
      <RetryDrawer filter={list.values} endpointName={endpointName} owed={owed} />
    </Frame>
  );
}

const read = (query: Query) => answer(api.GET('/deliveries', { params: { query } }));
const toneOf = ({ status }: ListedDelivery) => (status === 'failed' ? 'error' : undefined);

const first: readonly ListColumn<ListedDelivery>[] = [
  { header: says.columns.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  { header: says.columns.status, kind: 'status', cell: ({ status }) => <Status of={status} /> },
];
const attempts: ListColumn<ListedDelivery> = {
  header: says.columns.attempts,
  kind: 'number',
  cell: ({ attempts }) => attempts,
};
/** Takes the place of the attempts in the list of what blocks others. */
const holdsBack: ListColumn<ListedDelivery> = {
  header: says.columns.blockedSince,
  kind: 'time',
  cell: ({ holds_back }) => (
    <TwoLines
      main={<Time at={holds_back?.since ?? null} none={text.parts.none} />}
      more={holds_back && says.behind(holds_back.waiting, holds_back.more)}
    />
  ),
};
const result: ListColumn<ListedDelivery> = { header: says.columns.result, cell: (delivery) => <Result of={delivery} /> };

interface Choosable {
  endpoints: readonly { value: string; label: string }[];
  types: readonly { type: string }[];
  reasons: readonly Reason[];
}

/** The filters of deliveries that every viewer has. */
export const deliveryFilters = ({ endpoints, types, reasons }: Choosable): Filter[] => [
  { name: 'q', label: says.filters.q, kind: 'search', placeholder: says.filters.qExample },
  { name: 'status', label: says.filters.status, kind: 'choice', choices: labelled(says.states) },
  { name: 'endpoint_id', label: says.filters.endpoint_id, kind: 'choice', choices: endpoints, width: 200 },
  { name: 'since', label: says.filters.since, kind: 'time' },
  { name: 'blocking', label: says.filters.blocking, kind: 'choice', choices: labelled({ true: says.blocking }) },
  {
    name: 'reason',
    label: says.filters.reason,
    kind: 'choice',
    choices: reasons.map(({ reason, title }) => ({ value: reason, label: title })),
    width: 150,
  },
  {
    name: 'event_type',
    label: says.filters.event_type,
    kind: 'choice',
    choices: choices(types.map(({ type }) => type)),
    width: 150,
  },
];

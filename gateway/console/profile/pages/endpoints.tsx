import { Stack } from '@mantine/core';
import { stateOf } from '../../page/lib/endpoint-state.ts';
import { useFilters } from '../../page/lib/filters.ts';
import { ChangeButton } from '../../page/parts/change-button.tsx';
import { Empty } from '../../page/parts/empty.tsx';
import { NewEndpointDrawer } from '../../page/parts/endpoint/drawers.tsx';
import { EndpointStateCell } from '../../page/parts/endpoint/state.tsx';
import { Frame } from '../../page/parts/frame.tsx';
import { Hint } from '../../page/parts/hint.tsx';
import { IconPlus } from '../../page/parts/icons/tabler.ts';
import { List, type ListColumn, type RowTone } from '../../page/parts/list.tsx';
import { Time } from '../../page/parts/time.tsx';
import { TwoLines, Url } from '../../page/parts/two-lines.tsx';
import { answer, profile } from '../lib/api.ts';
import type { Endpoint } from '../lib/endpoints.ts';
import { PartnerForm } from '../parts/endpoint-form.tsx';
import { Samples } from '../parts/samples.tsx';
import { text } from '../texts/index.ts';

const texts = text.webhooks;

const idOf = ({ id }: Endpoint) => id;
const hrefOf = ({ id }: Endpoint) => `/endpoints/${id}`;

/** An endpoint that is not verified waits for its owner. */
function toneOf(endpoint: Endpoint): RowTone {
  const { word, tone } = stateOf(endpoint);
  if (word === 'unverified') return 'warning';
  return tone === 'error' || tone === 'warning' ? tone : undefined;
}

const columns: readonly ListColumn<Endpoint>[] = [
  {
    header: texts.columns.endpoint,
    cell: ({ url, description }) => <TwoLines main={<Url of={url} />} more={description} />,
  },
  { header: texts.columns.state, kind: 'long', cell: (endpoint) => <EndpointStateCell endpoint={endpoint} /> },
  { header: texts.columns.events, kind: 'name', cell: ({ events }) => events?.join(', ') ?? texts.allEvents },
  { header: texts.columns.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
];

const load = async (cursor: string | undefined) =>
  answer(profile.GET('/endpoints', { params: { query: { limit: 50, ...(cursor !== undefined && { cursor }) } } }));

/** The partner's endpoints, and a receiver to start with. */
export default function Endpoints() {
  const [, change] = useFilters();
  const open = () => change({ new: '1' });
  return (
    <Frame
      title={texts.title}
      actions={
        <ChangeButton variant="filled" leftSection={<IconPlus size={15} aria-hidden />} onClick={open}>
          {texts.create}
        </ChangeButton>
      }
    >
      <Hint>{texts.about}</Hint>
      <Stack gap="lg">
        <List
          label={texts.list}
          queryKey={['endpoints', 'list']}
          load={load}
          idOf={idOf}
          hrefOf={hrefOf}
          columns={columns}
          toneOf={toneOf}
          live
          empty={
            <Empty title={texts.none.title} action={<ChangeButton onClick={open}>{texts.create}</ChangeButton>}>
              {texts.none.next}
            </Empty>
          }
        />
        <Samples />
      </Stack>
      <NewEndpointDrawer form={(props) => <PartnerForm {...props} />} hrefOf={(id) => `/endpoints/${id}`} />
    </Frame>
  );
}

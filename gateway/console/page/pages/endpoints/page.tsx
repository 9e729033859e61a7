import { answer, api, type paths } from '../../lib/api.ts';
import { stateOf } from '../../lib/endpoint-state.ts';
import { readEndpointFigures } from '../../lib/figures.ts';
import { choices, labelled, useFilters } from '../../lib/filters.ts';
import { eventServices } from '../../lib/services.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NewEndpointDrawer } from '../../parts/endpoint/drawers.tsx';
import { OperatorForm } from '../../parts/endpoint/operator-form.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Hint } from '../../parts/hint.tsx';
import { IconPlus } from '../../parts/icons/tabler.ts';
import type { RowTone } from '../../parts/list.tsx';
import { OperatorList } from '../../parts/operator-list.tsx';
import { partnerFilter, useOwnerFilter } from '../../parts/owner-filter.ts';
import { text } from '../../texts/index.ts';
import { columns } from './columns.tsx';
import type { EndpointRow } from './endpoint-row.ts';

async function read(query: NonNullable<paths['/endpoints']['get']['parameters']['query']>) {
  const page = await answer(api.GET('/endpoints', { params: { query } }));
  const figures = await readEndpointFigures(
    page.data.map(({ id }) => id),
    'hour',
  );
  return { ...page, data: page.data.map((endpoint, index): EndpointRow => ({ ...endpoint, figures: figures[index] })) };
}

function toneOf(row: EndpointRow): RowTone {
  const { tone } = stateOf(row);
  if (tone === 'error' || tone === 'warning') return tone;
  return row.active && (row.figures?.success_rate ?? 1) < 0.9 ? 'warning' : undefined;
}

const filters: readonly Filter[] = [
  { name: 'q', kind: 'search', ...text.endpoints.filters.text },
  partnerFilter,
  { name: 'service', label: text.endpoints.filters.service, kind: 'choice', choices: choices(eventServices) },
  { name: 'state', label: text.endpoints.filters.state, kind: 'choice', choices: labelled(text.endpoints.states) },
];

export default function Endpoints() {
  const [{ new: _, ...values }, change] = useFilters();
  const open = () => change({ new: '1' });
  const ownerFilter = useOwnerFilter(values.owner);
  return (
    <Frame
      title={text.endpoints.title}
      actions={
        <>
          <ExportMenu list="endpoints" values={values} />
          <ChangeButton variant="filled" leftSection={<IconPlus size={15} aria-hidden />} onClick={open}>
            {text.endpoints.create}
          </ChangeButton>
        </>
      }
    >
      <OperatorList
        list="endpoints"
        label={text.endpoints.list}
        values={values}
        filters={[...filters, ...ownerFilter]}
        read={read}
        columns={columns}
        toneOf={toneOf}
        live="always"
        noMatch={text.endpoints.noMatch}
        none={
          <Empty title={text.endpoints.none.title} action={<ChangeButton onClick={open}>{text.endpoints.create}</ChangeButton>}>
            {text.endpoints.none.next}
          </Empty>
        }
      >
        <Hint size="xs">{text.endpoints.period}</Hint>
      </OperatorList>
      <NewEndpointDrawer form={(props) => <OperatorForm {...props} />} hrefOf={(id) => `/endpoints/${id}?test=1`} />
    </Frame>
  );
}

import { answer, api, type BodyOf, dataOf, type paths, type QueryOf } from '../../../lib/api.ts';
import { labelled } from '../../../lib/filters.ts';
import { count } from '../../../lib/format.ts';
import { money } from '../../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { Status } from '../../../parts/status.tsx';
import { Time } from '../../../parts/time.tsx';
import { text } from '../../../texts/index.ts';

type Store = paths['/pos/stores']['get']['responses'][200]['content']['application/json']['data'][number];
type StockItem = paths['/pos/stores/{id}']['get']['responses'][200]['content']['application/json']['data']['stock'][number];
type Product = BodyOf<paths['/pos/stores/{id}/products']['post']>;

const { shared, sections, stores: words, sales: saleWords } = text.backOffice;
const stockWords = words.stock;

const storeOf = (id: string) => ({ params: { path: { id } } });

const productFields = (item: StockItem | null): Field<keyof Product>[] => [
  { name: 'product_id', label: stockWords.product, kind: 'text', initial: item?.product_id, placeholder: 'PRD-0101' },
  { name: 'name', label: shared.name, kind: 'text', initial: item?.name, placeholder: 'Attiéké 1 kg' },
  { name: 'category', label: stockWords.category, kind: 'text', initial: item?.category, placeholder: 'Alimentation' },
  { name: 'price', label: stockWords.price, kind: 'number', initial: item?.price },
  { name: 'quantity', label: stockWords.quantity, kind: 'number', initial: item?.quantity },
  {
    name: 'low_threshold',
    label: stockWords.lowAt,
    kind: 'number',
    initial: item?.low_threshold,
    help: stockWords.lowAtHelp,
  },
];

const saveProduct = (storeId: string) => async (_: unknown, values: Product) => {
  const { data } = await answer(api.POST('/pos/stores/{id}/products', { ...storeOf(storeId), body: values }));
  return { message: stockWords.saved(data.name, data.quantity) };
};

const stockOf = ({ id: storeId, currency }: Store): Resource<StockItem> => ({
  name: `stock of ${storeId}`,
  title: stockWords.title,
  description: '',
  empty: stockWords.empty,
  load: async () => ({ data: (await dataOf(api.GET('/pos/stores/{id}', storeOf(storeId)))).stock, next: null }),
  idOf: ({ product_id: id }) => id,
  titleOf: ({ name }) => name,
  columns: [
    { header: stockWords.product, cell: ({ product_id: id }) => <span className="mono">{id}</span> },
    { header: shared.name, cell: ({ name }) => name },
    { header: stockWords.price, cell: ({ price }) => money(price, currency) },
    {
      header: stockWords.quantity,
      cell: ({ quantity, low_threshold: low }) => (quantity <= low ? <b>{stockWords.low(quantity)}</b> : count(quantity)),
    },
    { header: stockWords.lowAt, cell: ({ low_threshold: low }) => count(low) },
  ],
  create: { label: stockWords.create, fields: () => productFields(null), run: saveProduct(storeId) },
  actions: [{ label: shared.edit, fields: productFields, run: saveProduct(storeId) }],
});

const lines = (help: string, optional: boolean): Field<keyof BodyOf<paths['/pos/stores/{id}/restock']['post']>> => ({
  name: 'items',
  label: words.lines,
  kind: 'lines',
  optional,
  placeholder: 'PRD-0001 20\nPRD-0002 5',
  help,
});

export const stores: Resource<Store> = {
  name: 'stores',
  title: sections.stores,
  description: words.description,
  empty: words.empty,
  load: async (query) => answer(api.GET('/pos/stores', { params: { query } })),
  read: (id) => dataOf(api.GET('/pos/stores/{id}', storeOf(id))),
  idOf: ({ id }) => id,
  titleOf: ({ name, city }) => `${name}, ${city}`,
  columns: [
    { header: shared.id, cell: ({ id }) => <span className="mono">{id}</span> },
    { header: shared.name, cell: ({ name }) => name },
    { header: words.city, cell: ({ city }) => city },
    { header: words.currency, kind: 'short', cell: ({ currency }) => currency },
    { header: words.synchronized, kind: 'time', cell: ({ synchronized_at: at }) => <Time at={at} none={shared.never} /> },
  ],
  nested: (store) => [stockOf(store)],
  create: {
    label: words.create,
    fields: () => [
      { name: 'id', label: shared.id, kind: 'text', placeholder: 'STORE-ABJ-02' },
      { name: 'name', label: shared.name, kind: 'text', placeholder: 'Marché de Treichville' },
      { name: 'city', label: words.city, kind: 'text', placeholder: 'Abidjan' },
      { name: 'currency', label: words.currency, kind: 'text', initial: 'XOF', help: words.currencyHelp },
    ],
    async run(_, values: BodyOf<paths['/pos/stores']['post']>) {
      const { data } = await answer(api.POST('/pos/stores', { body: values }));
      return { message: shared.wasCreated(data.name), createdId: data.id };
    },
  },
  actions: [
    {
      label: words.restock,
      fields: () => [lines(words.restockHelp, false)],
      async run({ id }, values: BodyOf<paths['/pos/stores/{id}/restock']['post']>) {
        const { data } = await answer(api.POST('/pos/stores/{id}/restock', { ...storeOf(id), body: values }));
        return { message: words.restocked(data.items.length) };
      },
    },
    {
      label: words.synchronize,
      fields: () => [lines(words.synchronizeHelp, true)],
      async run({ id }, values: BodyOf<paths['/pos/stores/{id}/sync']['post']>) {
        const { data } = await answer(api.POST('/pos/stores/{id}/sync', { ...storeOf(id), body: values }));
        return {
          message: words.wasSynchronized(data.products, data.changed),
          events: ['sync.completed'],
        };
      },
    },
  ],
};

export const sales: Resource<paths['/pos/sales']['get']['responses'][200]['content']['application/json']['data'][number]> = {
  name: 'sales',
  title: sections.sales,
  description: saleWords.description,
  empty: saleWords.empty,
  filters: [
    { name: 'status', label: shared.state, kind: 'choice', choices: labelled(saleWords.status) },
    { name: 'payment_method', label: saleWords.paidBy, kind: 'choice', choices: labelled(saleWords.method) },
    { name: 'store_id', label: saleWords.store, kind: 'text', placeholder: 'STORE-ABJ-01' },
    { name: 'account_id', label: saleWords.account, kind: 'text' },
  ],
  load: async (query: QueryOf<paths['/pos/sales']['get']>) => answer(api.GET('/pos/sales', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: ({ reference }) => reference,
  columns: [
    { header: saleWords.reference, cell: ({ reference }) => <span className="mono">{reference}</span> },
    { header: shared.state, kind: 'status', cell: ({ status }) => <Status of={status === 'completed' ? 'done' : status} /> },
    { header: saleWords.total, kind: 'figures', cell: ({ total, currency }) => money(total, currency) },
    { header: saleWords.paid, kind: 'figures', cell: ({ paid, currency }) => money(paid, currency) },
    { header: saleWords.paidBy, kind: 'short', cell: ({ payment_method: by }) => saleWords.method[by] },
    { header: saleWords.store, cell: ({ store_id: store }) => store },
    { header: shared.created, kind: 'time', cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: (sale) => [
    [
      shared.id,
      <span key="id" className="mono">
        {sale.id}
      </span>,
    ],
    [shared.state, saleWords.status[sale.status]],
    [saleWords.store, sale.store_id],
    [saleWords.account, sale.account_id],
    [saleWords.total, money(sale.total, sale.currency)],
    [saleWords.paid, money(sale.paid, sale.currency)],
    [saleWords.paidBy, saleWords.method[sale.payment_method]],
    [saleWords.customer, sale.customer_phone ?? '–'],
    [shared.created, <Time key="created" at={sale.created_at} />],
    [saleWords.completed, <Time key="completed" at={sale.completed_at} none={shared.notYet} />],
    ...sale.items.map(
      (item, index) => [saleWords.line(index + 1), saleWords.item(item.quantity, item.name, item.price)] as [string, string],
    ),
  ],
  actions: [],
};

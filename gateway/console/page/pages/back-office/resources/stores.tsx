import { answer, api, type paths } from '../../../lib/api.ts';
import { choices } from '../../../lib/filters.ts';
import { count, plural } from '../../../lib/format.ts';
import { money } from '../../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../../parts/resource/resource.ts';
import { Status } from '../../../parts/status.tsx';
import { Time } from '../../../parts/time.tsx';

type Store = paths['/pos/stores']['get']['responses'][200]['content']['application/json']['data'][number];
type StockItem = paths['/pos/stores/{id}']['get']['responses'][200]['content']['application/json']['data']['stock'][number];
type Sale = paths['/pos/sales']['get']['responses'][200]['content']['application/json']['data'][number];

const storeOf = (id: string) => ({ params: { path: { id } } });

const productFields = (item: StockItem | null): Field[] => [
  { name: 'product_id', label: 'Product', kind: 'text', initial: item?.product_id, placeholder: 'PRD-0101' },
  { name: 'name', label: 'Name', kind: 'text', initial: item?.name, placeholder: 'Attiéké 1 kg' },
  { name: 'category', label: 'Category', kind: 'text', initial: item?.category, placeholder: 'Alimentation' },
  { name: 'price', label: 'Price', kind: 'number', initial: item?.price },
  { name: 'quantity', label: 'Quantity', kind: 'number', initial: item?.quantity },
  {
    name: 'low_threshold',
    label: 'Low at',
    kind: 'number',
    initial: item?.low_threshold,
    help: 'Stock is low at this quantity or below.',
  },
];

const saveProduct = async (storeId: string, values: unknown) => {
  const { data } = await answer(api.POST('/pos/stores/{id}/products', { ...storeOf(storeId), body: values as never }));
  return { message: `${data.name}: ${count(data.quantity)} in stock.` };
};

const stockOf = ({ id: storeId, currency }: Store): Resource<StockItem> => ({
  name: `stock of ${storeId}`,
  title: 'Stock',
  description: '',
  empty: 'No products yet.',
  load: async () => ({ data: (await answer(api.GET('/pos/stores/{id}', storeOf(storeId)))).data.stock, next: null }),
  idOf: ({ product_id: id }) => id,
  titleOf: ({ name }) => name,
  columns: [
    { header: 'Product', cell: ({ product_id: id }) => <span className="mono">{id}</span> },
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Price', cell: ({ price }) => money(price, currency) },
    {
      header: 'Quantity',
      cell: ({ quantity, low_threshold: low }) => (quantity <= low ? <b>{count(quantity)}, low</b> : count(quantity)),
    },
    { header: 'Low at', cell: ({ low_threshold: low }) => count(low) },
  ],
  create: { label: 'Add product', fields: () => productFields(null), run: (_, values) => saveProduct(storeId, values) },
  actions: [{ label: 'Edit', fields: productFields, run: (_, values) => saveProduct(storeId, values) }],
});

const lines = (quantity: string, optional: boolean): Field => ({
  name: 'items',
  label: 'Products',
  kind: 'lines',
  optional,
  placeholder: 'PRD-0001 20\nPRD-0002 5',
  help: `On each line, a product and ${quantity}.`,
});

export const stores: Resource<Store> = {
  name: 'stores',
  title: 'Stores',
  description: 'Stores and their stock. A synchronization sends sync.completed, and inventory.low for products that ran low.',
  empty: 'Create a store and add products to it.',
  load: async (query) => answer(api.GET('/pos/stores', { params: { query } })),
  read: async (id) => (await answer(api.GET('/pos/stores/{id}', storeOf(id)))).data,
  idOf: ({ id }) => id,
  titleOf: ({ name, city }) => `${name}, ${city}`,
  columns: [
    { header: 'Id', cell: ({ id }) => <span className="mono">{id}</span> },
    { header: 'Name', cell: ({ name }) => name },
    { header: 'City', cell: ({ city }) => city },
    { header: 'Currency', width: 90, cell: ({ currency }) => currency },
    { header: 'Synchronized', width: 160, cell: ({ synchronized_at: at }) => <Time at={at} none="never" /> },
  ],
  nested: (store) => [stockOf(store)],
  create: {
    label: 'New store',
    fields: () => [
      { name: 'id', label: 'Id', kind: 'text', placeholder: 'STORE-ABJ-02' },
      { name: 'name', label: 'Name', kind: 'text', placeholder: 'Marché de Treichville' },
      { name: 'city', label: 'City', kind: 'text', placeholder: 'Abidjan' },
      { name: 'currency', label: 'Currency', kind: 'text', initial: 'XOF', help: 'ISO 4217 code.' },
    ],
    async run(_, values) {
      const { data } = await answer(api.POST('/pos/stores', { body: values as never }));
      return { message: `${data.name} was created.`, createdId: data.id };
    },
  },
  actions: [
    {
      label: 'Restock',
      fields: () => [lines('the quantity that came in', false)],
      async run({ id }, values) {
        const { data } = await answer(api.POST('/pos/stores/{id}/restock', { ...storeOf(id), body: values as never }));
        return { message: `${plural(data.items.length, 'product')} restocked.` };
      },
    },
    {
      label: 'Synchronize',
      fields: () => [lines('the quantity counted', true)],
      async run({ id }, values) {
        const { data } = await answer(api.POST('/pos/stores/{id}/sync', { ...storeOf(id), body: values as never }));
        return {
          message: `Synchronized: ${plural(data.products, 'product')}, ${count(data.changed)} of them corrected.`,
          events: ['sync.completed'],
        };
      },
    },
  ],
};

export const sales: Resource<Sale> = {
  name: 'sales',
  title: 'Sales',
  description: 'Sales, newest first. They are created through the point-of-sale API only: try createSale at /docs.',
  empty: 'Sales are created with POST /pos/api/v1/sales.',
  filters: [
    { name: 'status', label: 'State', kind: 'choice', choices: choices(['pending', 'completed']) },
    { name: 'payment_method', label: 'Paid by', kind: 'choice', choices: choices(['cash', 'card', 'mobile_money']) },
    { name: 'store_id', label: 'Store', kind: 'text', placeholder: 'STORE-ABJ-01' },
    { name: 'account_id', label: 'Account', kind: 'text' },
  ],
  load: async (query) => answer(api.GET('/pos/sales', { params: { query: query as never } })),
  idOf: ({ id }) => id,
  titleOf: ({ reference }) => reference,
  columns: [
    { header: 'Reference', cell: ({ reference }) => <span className="mono">{reference}</span> },
    { header: 'State', width: 100, cell: ({ status }) => <Status of={status === 'completed' ? 'done' : status} /> },
    { header: 'Total', width: 120, cell: ({ total, currency }) => money(total, currency) },
    { header: 'Paid', width: 120, cell: ({ paid, currency }) => money(paid, currency) },
    { header: 'Paid by', width: 120, cell: ({ payment_method: by }) => by.replace('_', ' ') },
    { header: 'Store', cell: ({ store_id: store }) => store },
    { header: 'Created', width: 170, cell: ({ created_at: at }) => <Time at={at} /> },
  ],
  facts: (sale) => [
    [
      'Id',
      <span key="id" className="mono">
        {sale.id}
      </span>,
    ],
    ['State', sale.status],
    ['Store', sale.store_id],
    ['Account', sale.account_id],
    ['Total', money(sale.total, sale.currency)],
    ['Paid', money(sale.paid, sale.currency)],
    ['Paid by', sale.payment_method.replace('_', ' ')],
    ['Customer', sale.customer_phone ?? '–'],
    ['Created', <Time key="created" at={sale.created_at} />],
    ['Completed', <Time key="completed" at={sale.completed_at} none="not yet" />],
    ...sale.items.map(
      (item, index) =>
        [`Line ${index + 1}`, `${count(item.quantity)} × ${item.name} at ${count(item.price)}`] as [string, string],
    ),
  ],
  actions: [],
};

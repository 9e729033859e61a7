/**
 * Bare Fastify with zod: validates and serializes the same calls as a gateway and a stub, without identity,
 * limits, records or rows. Argument: the port, or 0. Prints its address as JSON when it listens. It imports no
 * file of ours, so that its start is its own.
 */
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';

const app = Fastify().withTypeProvider<ZodTypeProvider>();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);

const me = z.object({
  data: z.object({
    user: z.object({ id: z.int(), name: z.string(), email: z.string(), role: z.string() }),
    token: z.object({ name: z.string(), abilities: z.array(z.string()), last_used_at: z.string() }),
  }),
});
app.get('/api/v1/me', { schema: { querystring: z.strictObject({}), response: { 200: me } } }, async () => ({
  data: {
    user: { id: 1, name: 'Aya Kouassi', email: 'aya.kouassi@example.org', role: 'gestionnaire' },
    token: {
      name: 'demo all abilities',
      abilities: ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'],
      last_used_at: new Date().toISOString(),
    },
  },
}));

const indicator = z.object({
  id: z.int(),
  code: z.string(),
  intitule: z.string(),
  type: z.enum(['activite', 'resultat', 'impact']),
  unite: z.string(),
  valeur_courante: z.number(),
  cible_annuelle: z.number(),
  taux_atteinte: z.number(),
  alert_state: z.enum(['none', 'under', 'over']),
  is_kpi: z.boolean(),
});
const indicatorSchema = {
  params: z.object({ id: z.coerce.number().int() }),
  querystring: z.strictObject({}),
  response: { 200: z.object({ data: indicator }) },
};
app.get('/api/v1/indicateurs/:id', { schema: indicatorSchema }, async ({ params: { id } }) => ({
  data: {
    id,
    code: 'IND-007',
    intitule: 'Nombre de comités de paix opérationnels',
    type: 'resultat' as const,
    unite: 'comités',
    valeur_courante: 42,
    cible_annuelle: 60,
    taux_atteinte: 70,
    alert_state: 'none' as const,
    is_kpi: true,
  },
}));

const product = z.object({
  product_id: z.string(),
  name: z.string(),
  category: z.string(),
  price: z.number(),
  quantity: z.number(),
  low_threshold: z.number(),
  low: z.boolean(),
});
const inventory = z.object({
  success: z.literal(true),
  data: z.object({
    store_id: z.string(),
    currency: z.string(),
    updated_at: z.string(),
    items: z.array(product),
  }),
});
/** As many products as the demo store has, so that replies are equally large. */
const products = Array.from({ length: 41 }, (_, index) => ({
  product_id: `PRD-${String(index + 1).padStart(4, '0')}`,
  name: 'Riz parfumé 5 kg',
  category: 'Alimentation',
  price: 4500,
  quantity: 120,
  low_threshold: 40,
  low: false,
}));
const inventorySchema = {
  querystring: z.object({ store_id: z.string().min(1).max(64) }),
  response: { 200: inventory },
};
app.get('/api/v1/inventory', { schema: inventorySchema }, async ({ query: { store_id } }) => ({
  success: true as const,
  data: { store_id, currency: 'XOF', updated_at: '2026-11-21T08:53:00Z', items: products },
}));

const soldItem = z.strictObject({
  product_id: z.string().min(1).max(64),
  quantity: z.number().positive(),
  price: z.number().min(0),
});
const saleRequest = z.strictObject({
  store_id: z.string().min(1).max(64),
  items: z.array(soldItem).min(1).max(200),
  payment_method: z.enum(['cash', 'card', 'mobile_money']),
  customer_phone: z.string().regex(/^\+?(?:[ .-]*[0-9]){8,15}[ .-]*$/),
  total: z.number().min(0),
});
const sale = z.object({
  success: z.literal(true),
  data: z.object({
    id: z.string(),
    reference: z.string(),
    store_id: z.string(),
    status: z.enum(['pending', 'completed']),
    payment_method: z.enum(['cash', 'card', 'mobile_money']),
    customer_phone: z.string().nullable(),
    items: z.array(soldItem.extend({ name: z.string(), amount: z.number() })),
    total: z.number(),
    paid: z.number(),
    currency: z.string(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
  }),
});
app.post('/api/v1/sales', { schema: { body: saleRequest, response: { 201: sale } } }, async ({ body }, reply) => {
  reply.code(201);
  return {
    success: true as const,
    data: {
      ...body,
      id: 'sale_019aa5b0c1d27e3f8a4b5c6d7e8f9012',
      reference: 'S-20261121-7K3M9Q',
      status: 'completed' as const,
      items: body.items.map((item) => ({ ...item, name: 'Riz parfumé 5 kg', amount: 0 })),
      paid: body.total,
      currency: 'XOF',
      created_at: '2026-11-21T08:53:00Z',
      completed_at: '2026-11-21T08:53:00Z',
    },
  };
});

await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
const { port } = app.addresses()[0] as { port: number };
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);

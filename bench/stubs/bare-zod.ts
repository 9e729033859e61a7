/** Bare Fastify with zod: validates and serializes by schemas as a stub does, without any logic. Argument: the port. */
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { get, inventory, post, sale } from './calls.ts';

const app = Fastify().withTypeProvider<ZodTypeProvider>();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);

const item = z.object({ product_id: z.string(), name: z.string(), quantity: z.number(), price: z.number() });
const listed = item.extend({ category: z.string(), low_threshold: z.number(), low: z.boolean() });
const inventoryReply = z.object({
  success: z.literal(true),
  data: z.object({ store_id: z.string(), currency: z.string(), updated_at: z.string(), items: z.array(listed) }),
});
const saleReply = z.object({
  success: z.literal(true),
  data: z.object({
    id: z.string(),
    reference: z.string(),
    store_id: z.string(),
    status: z.enum(['pending', 'completed']),
    payment_method: z.enum(['cash', 'card', 'mobile_money']),
    customer_phone: z.string().nullable(),
    items: z.array(item.extend({ amount: z.number() })),
    total: z.number(),
    paid: z.number(),
    currency: z.string(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
  }),
});
const saleBody = z.strictObject({
  store_id: z.string().min(1).max(64),
  items: z
    .array(z.strictObject({ product_id: z.string().min(1).max(64), quantity: z.number().positive(), price: z.number().min(0) }))
    .min(1)
    .max(200),
  payment_method: z.enum(['cash', 'card', 'mobile_money']),
  customer_phone: z.string().regex(/^\+?(?:[ .-]*[0-9]){8,15}[ .-]*$/),
  total: z.number().min(0),
});

const readSchema = { querystring: z.object({ store_id: z.string().min(1).max(64) }), response: { 200: inventoryReply } };
app.get(get.path.split('?')[0] as string, { schema: readSchema }, async () => inventory as z.output<typeof inventoryReply>);
app.post(post.path, { schema: { body: saleBody, response: { 201: saleReply } } }, async (_request, reply) =>
  reply.code(201).send(sale as z.output<typeof saleReply>),
);
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });

import { z } from 'zod';
import { Refusal } from '../../gateway/base/errors.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';
import type { App } from '../../gateway/http/api.ts';
import { optionalBody } from '../../gateway/http/fields.ts';
import { assumedBody } from '../assume/routes.ts';
import { faultRule, ownerField, secretField } from '../control/routes.ts';
import type { StubOperations, World, WorldOptions } from '../types.ts';

const newEndpoint = z
  .strictObject({
    url: z.string().describe('The URL.'),
    events: z.array(z.string()).min(1).nullable().exactOptional().describe('Event types. Default: all.'),
    secret: secretField.exactOptional(),
    owner: ownerField('it receives only the events of its owner. Default: the operator, who may see all.').exactOptional(),
  })
  .meta({ examples: [{ url: 'http://127.0.0.1:3000/hook' }] });

/** Options that are left out are those with which the stub began. A seed is no file here: a caller may be on another machine. */
const newWorld = optionalBody({
  name: z.string().exactOptional().describe('1 to 40 letters, digits, `_` and `-`. Default: a free one, such as `world-1`.'),
  seed: z
    .union([z.literal(['demo', 'empty']), z.record(z.string(), z.unknown())], 'must be "demo", "empty" or an object')
    .exactOptional()
    .describe('The data, as `GET /_stub/state` returns it.'),
  plan: z.string().exactOptional().describe('The plan of the account whose credentials come first (pos).'),
  limits: z.boolean().exactOptional().describe('False: without limits on calls.'),
  clock: z.union([z.string(), z.number()]).exactOptional().describe('The time at which the clock stands still, or `real`.'),
  faults: z.array(faultRule).exactOptional(),
  faultSeed: z.union([z.string(), z.number()]).exactOptional().describe('Makes the random choices of faults repeatable.'),
  webhooks: z.array(newEndpoint).exactOptional().describe('Endpoints that exist from the start.'),
  secret: secretField.exactOptional(),
  mobileMoney: z
    .union([z.string(), z.array(z.string())])
    .exactOptional()
    .describe('What happens to payments (pos), such as `pending:30s`.'),
  assume: assumedBody.exactOptional(),
}).meta({
  examples: [
    { name: 'worker-1', clock: '2026-11-21T08:00:00Z' },
    { faults: ['createSale:status=503'], webhooks: [{ url: 'http://127.0.0.1:3000/hook' }] },
  ],
});

const shown = ({ name, url, credentials, secret, clock }: World) => ({
  name,
  url,
  credentials,
  clock: new Date(clock.now()).toISOString(),
  secret,
});

/** The routes by which worlds begin and end. Everything else of a world is below its own address. */
export function worldRoutes(app: App, stub: Pick<StubOperations, 'world' | 'worlds'>): void {
  const list = () => ({ data: stub.worlds().map(shown) });
  app.get('/worlds', { schema: { summary: 'The worlds, each with its address and credentials' } }, async () => list());
  const addition =
    'Start a world. A call with its credentials, or below its `url`, sees nothing of other worlds. Each path of the stub exists below that `url`: `/_stub/reset` of the world is `/_stub/worlds/{name}/_stub/reset`';
  app.post('/worlds', { config: { replyStatus: 201 }, schema: { summary: addition, body: newWorld } }, async ({ body }, reply) =>
    reply.code(201).send({ data: shown(await stub.world(body as WorldOptions)) }),
  );
  const params = z.object({ name: z.string() });
  const worldNamed = (name: string): World => {
    const world = stub.worlds().find((one) => one.name === name);
    if (!world) throw unknown(stub, name);
    return world;
  };
  app.get(
    '/worlds/:name',
    { schema: { summary: 'The address and credentials of a world', params } },
    async ({ params: { name } }) => ({
      data: shown(worldNamed(name)),
    }),
  );
  app.delete('/worlds/:name', { schema: { summary: 'End a world', params } }, async ({ params: { name } }) => {
    await worldNamed(name).close();
    return list();
  });
  // Calls below the address of a world do not come here.
  app.all('/worlds/:name/*', { schema: { hide: true, params } }, async ({ params: { name } }) => {
    throw unknown(stub, name);
  });
}

function unknown(stub: Pick<StubOperations, 'worlds'>, name: string): Refusal {
  const known = stub.worlds().map((world) => world.name);
  const list = known.length === 0 ? 'There are none.' : 'GET /_stub/worlds (passerelle stub worlds) lists all of them.';
  return new Refusal('not_found', 'unknown_world', `There is no world "${name}". ${didYouMean(name, known)}${list}`);
}

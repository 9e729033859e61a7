import Fastify from 'fastify';
import { verifySignature } from '../verify-signature.ts';

// SECRET='whsec_...' PORT=9000 node packaging/install/run.js receivers/samples/fastify.ts   (during a rotation: both secrets, a space between)
const { SECRET, PORT = '9000' } = process.env;
if (!SECRET) throw new Error('Set SECRET to the signing secret of the endpoint.');
if (!/^\d{1,5}$/.test(PORT)) throw new Error('Set PORT to a port number, such as 9000.');
const secrets = SECRET.split(' ');

/** Keep these in your database: the ids of the events that came. */
const known = new Set<string | null>();

const app = Fastify();
// The signature is over the bytes: keep them here, parse them after the check.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post<{ Body: Buffer }>('/hook', async (request, reply) => {
  const checked = verifySignature(request.body, request.headers, secrets);
  if (!checked.valid) return reply.code(401).send(checked.reason);
  // An ordered endpoint names the event before. If that never came, ask for it.
  const { webhookId, place } = checked;
  if (place?.previousId && known.size > 0 && !known.has(place.previousId)) process.stdout.write(`missing ${place.previousId}\n`);
  // Answer at once and work afterwards; the same webhookId may come again.
  process.stdout.write(`genuine ${webhookId} ${JSON.parse(request.body.toString()).event}\n`);
  known.add(webhookId);
  return reply.code(204).send();
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.stdout.write(`listening ${JSON.stringify(app.server.address())}\n`);

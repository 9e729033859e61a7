import Fastify from 'fastify';

/** Bare Fastify that serves one object, given as JSON on the command line. The upper bound for `pipeline.ts`. */
const reply = JSON.parse(process.argv[2] ?? '{}') as unknown;
const app = Fastify();
app.get('/*', async () => reply);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(app.addresses()[0] as { port: number }).port}` })}\n`);

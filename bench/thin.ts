/**
 * Bare Fastify that only gives each call an id and records it: the lower bound for the gateway's pipeline. Arguments: the
 * reply as JSON, and a folder for PGlite, which runs in a worker thread as in the gateway.
 */
import Fastify from 'fastify';
import { newId } from '../gateway/base/ids.ts';
import { PglitePool } from '../gateway/store/pglite/pool.ts';

const [, , json = '{}', folder = ''] = process.argv;
const reply = JSON.parse(json) as unknown;
const columns = ['id', 'at', 'path', 'status', 'ms', 'request_headers', 'response_headers', 'response_body'];

const pool = await PglitePool.open(folder);
await pool.query(`create table calls (id text primary key, at bigint, path text, status int, ms float8,
  request_headers text, response_headers text, response_body text)`);
const encoder = new TextEncoder();
let waiting: string[] = [];
let writes = 0;

/** Formats a row for COPY. These calls contain no tabs, line breaks or backslashes. */
function note(row: unknown[]): void {
  waiting.push(row.join('\t'));
  if (waiting.length < 250 || writes >= 2) return;
  const batch = encoder.encode(`${waiting.join('\n')}\n`);
  waiting = [];
  writes += 1;
  pool.copyIn('calls', columns, batch).finally(() => {
    writes -= 1;
  });
}

const app = Fastify({ genReqId: () => newId('call') });
app.addHook('onRequest', (request, response, done) => {
  response.header('x-request-id', request.id);
  done();
});
app.addHook('onResponse', (request, response, done) => {
  const headers = [request.headers, response.getHeaders()].map((one) => JSON.stringify(one));
  note([request.id, Date.now(), request.url, response.statusCode, response.elapsedTime, ...headers, json]);
  done();
});
app.get('/*', async () => reply);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(app.addresses()[0] as { port: number }).port}` })}\n`);

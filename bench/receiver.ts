import { createServer } from 'node:http';

/**
 * Counts webhooks. Sends its parent `{count, atMs}` when the awaited number has arrived, and `{id, atMs}` for each webhook
 * if the path contains `/each`. Never answers a path with `/silent`.
 */
const nowMs = () => performance.timeOrigin + performance.now();
let count = 0;
let wanted = Number.POSITIVE_INFINITY;

const server = createServer((request, response) => {
  const atMs = nowMs();
  request.resume();
  if (request.url?.includes('/silent')) return;
  if (request.url?.includes('/each')) process.send?.({ id: request.headers['webhook-id'], atMs });
  request.on('end', () => {
    response.end('ok');
    count += 1;
    if (count === wanted) process.send?.({ count, atMs: nowMs() });
  });
});

process.on('message', (message: { waitFor: number }) => {
  count = 0;
  wanted = message.waitFor;
  process.send?.({ waiting: true });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));

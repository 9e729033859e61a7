import { createServer } from 'node:http';

/**
 * Answers webhooks and remembers them. A path has the number of its endpoint, and how it answers: `/3` accepts all; `/3/failing/10`
 * refuses one of ten deliveries at their first attempt; `/3/silent` never answers; `/3/outage` refuses all while it is `down`.
 */
const nowMs = () => performance.timeOrigin + performance.now();
let receipts: [id: string, endpoint: number, atMs: number][] = [];
let accepted = new Set<string>();
let duplicates = 0;
const refused = new Set<string>();
let awaited = Number.POSITIVE_INFINITY;
let isDown = false;
let afterOutage = 0;

const server = createServer((request, response) => {
  const atMs = nowMs();
  request.resume();
  const [, endpoint, how, share] = (request.url ?? '').split('/');
  if (how === 'silent') return;
  const key = `${request.headers['webhook-id']}@${endpoint}`;
  const isRefused = (how === 'outage' && isDown) || (how === 'failing' && !refused.has(key) && hash(key) % Number(share) === 0);
  request.on('end', () => {
    response.writeHead(isRefused ? 500 : 200).end();
    if (isRefused) {
      refused.add(key);
      return;
    }
    if (accepted.has(key)) duplicates += 1;
    else receipts.push([String(request.headers['webhook-id']), Number(endpoint), atMs]);
    accepted.add(key);
    if (how === 'outage') afterOutage += 1;
    if (accepted.size === awaited) process.send?.({ answer: atMs });
  });
});

const hash = (text: string) => [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7);

const asks = {
  /** Answers when so many different deliveries were accepted since `forget`. */
  wait(count: number) {
    awaited = count;
    return accepted.size >= count ? nowMs() : undefined;
  },
  forget() {
    [receipts, accepted, duplicates, awaited, afterOutage] = [[], new Set(), 0, Number.POSITIVE_INFINITY, 0];
    refused.clear();
    return true;
  },
  down(value: boolean) {
    isDown = value;
    return true;
  },
  /** How many of those that an outage held up were accepted. */
  afterOutage: () => afterOutage,
  receipts: () => ({ receipts, duplicates }),
};
export type ReceiverAsks = typeof asks;

process.on('message', ({ ask, given }: { ask: keyof ReceiverAsks; given: never }) => {
  const answer = asks[ask](given);
  if (answer !== undefined) process.send?.({ answer });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () =>
  process.send?.({ answer: `http://127.0.0.1:${(server.address() as { port: number }).port}` }),
);

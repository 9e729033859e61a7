// SECRET='whsec_...' PORT=9000 node receiver.mjs   (during a rotation: both secrets, a space between)
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const maxBytes = 1_048_576;

/** Returns why these bytes must be rejected; null if they are genuine. `headers` maps lower-case names to values. */
function refusal(body, headers, secrets, toleranceSeconds = 300) {
  if (!standard.some((name) => name in headers)) {
    if (!('x-service-signature' in headers)) return 'no signature header: neither webhook-* nor x-service-signature';
    const expected = secrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    return anyEqual([headers['x-service-signature']], expected) ? null : 'wrong x-service-signature';
  }
  const [id, timestamp, signatures] = standard.map((name) => headers[name] ?? '');
  // Without a dot in the id, the signed text can be cut in one way only.
  if (!/^[A-Za-z0-9_-]+$/.test(id) || !/^[0-9]{1,12}$/.test(timestamp)) return 'missing or malformed webhook-* header';
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  const signed = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64'));
  const expected = signed.map((signature) => `v1,${signature}`);
  if (!anyEqual(signatures.split(' '), expected)) return 'wrong webhook-signature';
  const isOld = Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds;
  return isOld ? 'webhook-timestamp too old or too new' : null;
}

/** In constant time. */
function anyEqual(given, expected) {
  const same = (one, other) => one.length === other.length && timingSafeEqual(one, other);
  return given.flatMap((one) => expected.map((other) => same(Buffer.from(one), Buffer.from(other)))).includes(true);
}

const { SECRET = '', PORT = '9000' } = process.env;
const secrets = SECRET.split(' ').filter(Boolean);
if (secrets.length === 0 || secrets.includes('whsec_')) throw new Error('Set SECRET to the signing secret of the endpoint.');
if (!/^\d{1,5}$/.test(PORT)) throw new Error('Set PORT to a port number, such as 9000.');

/** Keep these in your database: the ids of the events that came. */
const known = new Set();

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > maxBytes) return response.writeHead(413, { connection: 'close' }).end();
      chunks.push(chunk);
    }
    // The signature is over the bytes: parse them after the check.
    const body = Buffer.concat(chunks);
    const reason = refusal(body, request.headers, secrets);
    if (reason !== null) return response.writeHead(401).end(reason);
    // An ordered endpoint names the event before. If that never came, ask for it.
    const { 'webhook-id': id, 'webhook-previous-id': previous } = request.headers;
    if (previous && known.size > 0 && !known.has(previous)) process.stdout.write(`missing ${previous}\n`);
    // Answer at once and work afterwards; the same webhook-id may come again.
    process.stdout.write(`genuine ${id} ${JSON.parse(body.toString()).event}\n`);
    known.add(id);
    return response.writeHead(204).end();
  } catch {
    return response.writeHead(400).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`listening ${server.address().port}\n`));

// Written from docs/spec/social-cohesion.md, section 6, alone: it knows no webhook-* header.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const expected = `sha256=${createHmac('sha256', process.env.SECRET).update(body).digest('hex')}`;
  const given = request.headers['x-service-signature'] ?? '';
  const matches = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
  response.writeHead(matches ? 200 : 401).end();
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('listening\n'));

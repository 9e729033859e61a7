import { createServer } from 'node:http';
import { verifySignature } from '../verify-signature.ts';

// SECRET='whsec_...' PORT=9000 node packaging/install/run.js receivers/samples/http.ts   (during a rotation: both secrets, a space between)
const { SECRET, PORT = '9000' } = process.env;
if (!SECRET) throw new Error('Set SECRET to the signing secret of the endpoint.');
if (!/^\d{1,5}$/.test(PORT)) throw new Error('Set PORT to a port number, such as 9000.');
const secrets = SECRET.split(' ');
const maxBytes = 1_048_576;
/** Keep these in your database: the ids of the events that came. */
const known = new Set<string | null>();

const server = createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > maxBytes) return response.writeHead(413, { connection: 'close' }).end();
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    const checked = verifySignature(body, request.headers, secrets);
    if (!checked.valid) return response.writeHead(401).end(checked.reason);
    // An ordered endpoint names the event before. If that never came, ask for it.
    const { webhookId, place } = checked;
    if (place?.previousId && known.size > 0 && !known.has(place.previousId))
      process.stdout.write(`missing ${place.previousId}\n`);
    // Answer at once and work afterwards; the same webhookId may come again.
    process.stdout.write(`genuine ${webhookId} ${JSON.parse(body.toString()).event}\n`);
    known.add(webhookId);
    return response.writeHead(204).end();
  } catch {
    return response.writeHead(400).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`listening ${JSON.stringify(server.address())}\n`));

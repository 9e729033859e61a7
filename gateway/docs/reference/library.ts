import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Library {
  /** The browser's script: about 3.5 MB of text. */
  text: string;
  /** The same with gzip, which browsers accept over plain http too. About 1.3 MB. */
  gzipped: Buffer;
  /** Changes when the script does. */
  version: string;
}

let loading: Promise<Library> | undefined;

/** Scalar's browser script. It is loaded when a reference page is opened, and then kept. */
export function loadLibrary(): Promise<Library> {
  loading ??= readLibrary();
  return loading;
}

/** Scalar's plugin for Fastify contains the script and serves it from any app, but does not export it. */
async function readLibrary(): Promise<Library> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const app = fastify();
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/none' } });
  const { statusCode, body: text } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference answered ${statusCode} to the request for its script.`);
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return { text, gzipped: await promisify(gzip)(text), version };
}

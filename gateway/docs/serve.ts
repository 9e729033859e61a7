import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { services } from '../../spec/documents/services.ts';
import type { KnownValues } from '../../spec/openapi/example.ts';
import { serveGuides } from './guides.ts';

// The bundler finds only places that are written out.
const ownScripts = [
  ['start.js', new URL('./reference/start.js', import.meta.url)],
  ['own.js', new URL('./reference/own.js', import.meta.url)],
] as const;

const titles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(services).map(([name, { title }]) => [name, title])),
  manage: 'Manage (operators)',
  profile: 'Profile (partners)',
  stub: 'Control of this stub',
};

/** Fills in documents and the forms of the reference page, so that their requests work unchanged. */
export interface TryIt {
  /** The document with examples that this server accepts. */
  filled(name: string, document: unknown): unknown;
  /** The document for the forms of the reference page. Its examples are made of `known`, by default of values for everybody. */
  forms(name: string, document: unknown, known?: KnownValues): unknown;
  /** The bearer token for the calls of an API. `request` asks for the page that will contain it. */
  token(name: string, request: FastifyRequest): Promise<string | undefined>;
}

export interface DocsOptions {
  /** Reads an OpenAPI document, or promises it, by its name. */
  documents: ReadonlyMap<string, () => unknown>;
  tryIt?: TryIt | undefined;
  /** True if `/` redirects to `/docs`. */
  home: boolean;
  /** The API at the root of this server: its document is also at `/openapi.json`, where tools look for it. */
  rootApi?: string;
  /** The address under which people reach this server. By default the one that the request names. */
  publicUrl?: string | undefined;
}

/** `/docs`: the API reference, the OpenAPI documents (`/docs/NAME.json`, `/docs/NAME.yaml`), the guides and the gap register. */
export function serveDocs(options: DocsOptions) {
  const { documents, tryIt, home } = options;
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, recorded: false };
      route.logLevel = 'silent';
    });
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('referrer-policy', 'same-origin');
    });
    serveDocuments(app, options);
    serveReference(app, documents, tryIt);
    serveGuides(app);
    // The register is large, and a stub starts sooner without it.
    app.get('/docs/gaps', async (_request, reply) => {
      const [{ gaps }, { gapsPage }, { sendTextPage }] = await Promise.all([
        import('../../spec/gaps/gaps.ts'),
        import('./gaps.ts'),
        import('./layout.ts'),
      ]);
      return sendTextPage(reply, gapsPage(gaps));
    });
    if (home) app.get('/', async (_request, reply) => reply.redirect('/docs'));
  };
}

/** The documents for programs. Their servers are absolute, so that a program that imports one can call at once. */
function serveDocuments(app: FastifyInstance, { documents, tryIt, rootApi, publicUrl }: DocsOptions): void {
  for (const [name, document] of documents) {
    const read = async ({ protocol, host }: FastifyRequest) => {
      const plain = await document();
      const found = (tryIt ? tryIt.filled(name, plain) : plain) as { servers: readonly { url: string }[] };
      // HTTP/1.0 needs no Host header.
      const origin = publicUrl ?? (host ? `${protocol}://${host}` : '');
      return { ...found, servers: found.servers.map(({ url }) => ({ url: `${origin}${url}`.replace(/(?<=.)\/$/, '') })) };
    };
    for (const address of [`/docs/${name}`, ...(name === rootApi ? ['/openapi'] : [])]) {
      app.get(`${address}.json`, async (request) => read(request));
      app.get(`${address}.yaml`, async (request, reply) => {
        const { stringify } = await import('yaml');
        return reply.type('application/yaml').send(stringify(await read(request), { aliasDuplicateObjects: false }));
      });
    }
  }
}

/** The reference page. Its parts are loaded when it is opened, so that the gateway starts fast. */
function serveReference(app: FastifyInstance, documents: DocsOptions['documents'], tryIt: TryIt | undefined): void {
  app.get('/docs', async (request, reply) => {
    const [{ referencePage, referencePolicy }, { version }] = await Promise.all([import('./reference/page.ts'), library()]);
    const names = [...documents.keys()];
    const sources = names.map(async (name) => ({ name, title: titles[name] ?? name, token: await tryIt?.token(name, request) }));
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': referencePolicy(nonce), 'cache-control': 'no-store' })
      .send(referencePage({ sources: await Promise.all(sources), nonce, version, hasProfile: documents.has('profile') }));
  });
  for (const [name, document] of documents) {
    app.get(`/docs/reference/${name}.json`, async () => {
      const { withGapNotes } = await import('./reference/gap-notes.ts');
      const plain = await document();
      return withGapNotes(tryIt ? tryIt.forms(name, plain) : plain);
    });
  }
  for (const [name, file] of ownScripts)
    app.get(`/docs/reference/${name}`, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(await readFile(file)),
    );
  app.get('/docs/reference/scalar.js', async (request, reply) => {
    const { text, gzipped } = await library();
    reply.type('text/javascript; charset=utf-8').headers({
      // The page's URL for it contains the version.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(gzipped);
  });
}

const library = async () => (await import('./reference/library.ts')).loadLibrary();

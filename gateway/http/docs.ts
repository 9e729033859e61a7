import type { FastifyInstance } from 'fastify';
import { hasPackage } from '../base/has-package.ts';

const titles: Record<string, string> = { pos: 'Point of Sale', cohesion: 'Social Cohesion', manage: 'Manage (operators)' };

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 230 40"><path d="M4 30Q27 2 50 30M12 30v-7M27 30V16M42 30v-7" fill="none" stroke="#7dd3c0" stroke-width="3"/><text x="62" y="28" font-family="sans-serif" font-size="24" font-weight="bold" fill="#fff">Passerelle</text></svg>`;

export interface DocsOptions {
  documents: ReadonlyMap<string, () => unknown>;
  gapsPage: { html(): string; policy: string };
  /** Whether there is a page to read and to try the documents. */
  page: boolean;
  /** Whether `/` leads to that page. */
  home: boolean;
  /** Serves another page at `/docs`. */
  ownPage?: ((app: FastifyInstance) => void) | undefined;
}

/** `/docs`: the OpenAPI documents to read and to try, `/docs/NAME.json` as data, `/docs/gaps` the gap register. */
export function serveDocs({ documents, gapsPage, page, home, ownPage }: DocsOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, recorded: false };
      route.logLevel = 'silent';
    });
    if (ownPage) ownPage(app);
    else if (page && hasPackage('@fastify/swagger-ui')) await servePage(app, documents, home);
    else app.get('/docs', async (_request, reply) => reply.redirect('/docs/gaps'));
    for (const [name, document] of documents) app.get(`/docs/${name}.json`, async () => document());
    app.get('/docs/gaps', async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', gapsPage.policy).send(gapsPage.html()),
    );
  };
}

async function servePage(app: FastifyInstance, documents: DocsOptions['documents'], home: boolean): Promise<void> {
  const { default: fastifySwagger } = await import('@fastify/swagger');
  const { default: fastifySwaggerUi } = await import('@fastify/swagger-ui');
  const urls = [...documents.keys()].map((name) => ({ name: titles[name] ?? name, url: `/docs/${name}.json` }));
  await app.register(fastifySwagger, { openapi: { info: { title: 'Passerelle', version: '1.0' } } });
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      urls,
      layout: 'StandaloneLayout',
      docExpansion: 'list',
      displayRequestDuration: true,
      tryItOutEnabled: true,
      showExtensions: true,
      validatorUrl: null,
    },
    logo: { type: 'image/svg+xml', content: logo, href: '/docs/gaps' },
    theme: { title: 'Passerelle: API documents' },
    staticCSP: true,
    // Everything is served from here; and the page must also work where the gateway speaks plain http.
    transformStaticCSP: () =>
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  });
  if (home) app.get('/', async (_request, reply) => reply.redirect('/docs'));
}

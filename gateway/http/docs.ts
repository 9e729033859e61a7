import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

const titles: Record<string, string> = { pos: 'Point of Sale', cohesion: 'Social Cohesion', manage: 'Manage (operators)' };

/** `/docs`: the OpenAPI documents to read and to try, `/docs/NAME.json` as data, `/docs/gaps` the gap register. */
export function serveDocs({ documents, gapsPage }: { documents: ReadonlyMap<string, () => unknown>; gapsPage: string }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, recorded: false };
      route.logLevel = 'silent';
    });
    const urls = [...documents.keys()].map((name) => ({ name: titles[name] ?? name, url: `/docs/${name}.json` }));
    await app.register(fastifySwagger, { openapi: { info: { title: 'Passerelle', version: '1.0' } } });
    await app.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      uiConfig: { urls, layout: 'StandaloneLayout', docExpansion: 'list', displayRequestDuration: true, tryItOutEnabled: true, persistAuthorization: false },
      theme: { title: 'Passerelle: API documents' },
      staticCSP: true,
    });
    for (const [name, document] of documents) app.get(`/docs/${name}.json`, async () => document());
    app.get('/docs/gaps', async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
        .send(gapsPage),
    );
  };
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serviceNames, services } from '../../contracts/documents/services.ts';
import { ownFiles } from '../base/own-files.ts';

/** In the published package too. */
const folder = new URL('../../collections/', import.meta.url);

/** Bruno opens a folder, and not a file. */
const names = () => ownFiles.list(folder).filter((name) => name.endsWith('.json') && !name.endsWith('bruno.json'));

/**
 * Serves the documents for other tools: `/docs/collections` lists them, such as `/docs/collections/pos/postman.json`. `urlOf` gives the
 * address of an API on this server, where their calls go.
 */
export function serveCollections(app: FastifyInstance, urlOf: (api: string, request: FastifyRequest) => string): void {
  app.get('/docs/collections', async () => ({ data: names().map((name) => `/docs/collections/${name}`) }));
  app.get<{ Params: { '*': string } }>('/docs/collections/*', async (request, reply) => {
    const name = request.params['*'];
    // Only paths from the folder's own list are opened.
    if (!names().includes(name)) return reply.callNotFound();
    const text = (await ownFiles.read(new URL(name, folder))).toString();
    const here = serviceNames.reduce(
      (found, api) => found.replaceAll(`http://localhost:${services[api].stubPort}`, urlOf(api, request)),
      text,
    );
    // The OpenAPI documents have another place on a server.
    return reply.type('application/json').send(here.replaceAll('../../contracts/openapi/', '../../'));
  });
}

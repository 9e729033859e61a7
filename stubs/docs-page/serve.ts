import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { PageParts } from './page.ts';

/** `/docs` of a stub: a page to read and to try its API. It is made when somebody asks for it; a start costs nothing. */
export function serveTryPage(about: () => PageParts) {
  return (app: FastifyInstance): void => {
    app.get('/docs', async (_request, reply) => {
      const { tryPage, policy } = await import('./page.ts');
      return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(tryPage(about()));
    });
    app.get('/docs/try.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(await readFile(new URL('./try.js', import.meta.url))),
    );
  };
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import { ownFiles } from '../base/own-files.ts';
import { textPage, textPolicy } from './layout.ts';
import type { Guide } from './markdown.ts';

/** In the published package too. */
const folder = new URL('../../docs/', import.meta.url);

/** Serves each Markdown file in docs/ as a page. Files are read when a page is opened. */
export function serveGuides(app: FastifyInstance): void {
  app.get('/docs/guides', async (_request, reply) => {
    const guides = await Promise.all(guideNames().map(readGuide));
    const items = guides.map(({ name, title, summary }) => `<h2><a href="/docs/guides/${name}">${title}</a></h2>${summary}`);
    return send(reply, 'Guides', `<h1>Guides</h1>\n${items.join('\n')}`);
  });
  app.get<{ Params: { name: string } }>('/docs/guides/:name', async (request, reply) => {
    // Only names from the folder's own list are opened.
    const name = guideNames().find((one) => one === request.params.name);
    if (name === undefined) return notFound(reply);
    const { plainTitle, html } = await readGuide(name);
    return send(reply, plainTitle, html);
  });
  app.get<{ Params: { name: string } }>('/docs/guides/console/:name', async (request, reply) => {
    const name = imageNames().find((one) => one === request.params.name);
    if (name === undefined) return notFound(reply);
    return reply.type('image/png').send(await ownFiles.read(new URL(`console/${name}`, folder)));
  });
}

/** The guides in the order of the README; others follow by name. */
const readingOrder = ['partners', 'ci', 'operators', 'alerts', 'deploying', 'guarantees', 'performance', 'architecture'];
const placeOf = (name: string) => (readingOrder.includes(name) ? readingOrder.indexOf(name) : readingOrder.length);

const guideNames = () =>
  namesIn('', '.md')
    .map((name) => name.slice(0, -'.md'.length))
    .sort((one, other) => placeOf(one) - placeOf(other));
const imageNames = () => namesIn('console/', '.png');

const namesIn = (path: string, ending: string) =>
  ownFiles
    .list(new URL(path, folder))
    .filter((name) => name.endsWith(ending) && !name.includes('/'))
    .sort();

async function readGuide(name: string): Promise<Guide & { name: string }> {
  const { renderGuide } = await import('./markdown.ts');
  const text = (await ownFiles.read(new URL(`${name}.md`, folder))).toString();
  return { name, ...renderGuide(text, { guides: new Set(guideNames()), images: new Set(imageNames()) }) };
}

function send(reply: FastifyReply, title: string, main: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', textPolicy)
    .send(textPage({ title, path: '/docs/guides', main }));
}

const notFound = (reply: FastifyReply) =>
  send(
    reply.code(404),
    'No such guide',
    '<h1>No such guide</h1><p>There is no guide or image at this address. See <a href="/docs/guides">all guides</a>.</p>',
  );

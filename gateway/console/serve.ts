import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { listOwnFiles } from '../base/own-files.ts';

/** The folder that `npm run make` builds, with a folder for each page. */
export const builtFolder = fileURLToPath(new URL('./built', import.meta.url));

/** A page of its own, and where it is served. */
interface Place {
  /** The path, without a slash at its end. It is also the name of the page's folder in `built`. */
  prefix: string;
  /** What the reply says if the page was not built, in HTML. */
  notBuilt: string;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
/** Encodings with the extension of their files, smallest result first. */
const encodings = { br: '.br', gzip: '.gz' };
type Encoding = keyof typeof encodings;

interface File {
  place: URL;
  type: string;
  encoded: Partial<Record<Encoding, URL>>;
}

export interface BuiltPage {
  /** Files by path below the folder, with slashes. No other path is ever opened (path traversal). */
  files: ReadonlyMap<string, File>;
  /** The page. Undefined if it was not built. */
  index?: { html: string; etag: string };
}

/** What serves the console. Without figures a stub shows no overview and no charts. */
export type Server = 'gateway' | 'stub' | 'stub with figures';

/** Lists a page's folder once. A page built later needs a restart. The page learns from its HTML which `server` it belongs to. */
export function readPage(folder: string, server: Server = 'gateway'): BuiltPage {
  const placeOf = (path: string) => pathToFileURL(join(folder, path));
  const paths = listOwnFiles(pathToFileURL(`${folder}/`));
  const known = new Set(paths);
  if (!known.has('index.html')) return { files: new Map() };
  const files = paths
    .filter((path) => extname(path) in types && extname(path) !== '.html')
    .map((path): [string, File] => {
      const siblings = Object.entries(encodings).filter(([, ending]) => known.has(path + ending));
      const encoded = Object.fromEntries(siblings.map(([name, ending]) => [name, placeOf(path + ending)]));
      return [path, { place: placeOf(path), type: types[extname(path)] as string, encoded }];
    });
  const html = readFileSync(placeOf('index.html'), 'utf8').replace('__SERVER__', server);
  const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  return { files: new Map(files), index: { html, etag } };
}

/** Serves the operator's console at `/console`, and sends `/` there. */
export function serveConsole(built: BuiltPage) {
  return async (app: FastifyInstance): Promise<void> => {
    const { index } = built;
    if (index) app.get('/', unrecorded, async (_request, reply) => reply.redirect('/console'));
    await app.register(servePage(built, { prefix: '/console', notBuilt: consoleNotBuilt }));
  };
}

/** Serves the partner's page at `/profile`. */
export const serveProfile = (built: BuiltPage) => servePage(built, { prefix: '/profile', notBuilt: profileNotBuilt });

const unrecorded = { config: { recorded: false }, logLevel: 'silent' } as const;

/** Serves a built page at its prefix. Paths below it that are not files get the page, except for missing assets. */
function servePage({ files, index }: BuiltPage, place: Place) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(place.prefix, unrecorded, (request, reply) => sendPage(request, reply, { index, place }));
    app.get<{ Params: { '*': string } }>(`${place.prefix}/*`, unrecorded, async (request, reply) => {
      const path = request.params['*'];
      const file = files.get(path);
      if (file) return sendFile(request, reply.headers(headersFor()), file, path.startsWith('assets/'));
      if (!index || !path.startsWith('assets/')) return sendPage(request, reply, { index, place });
      return reply
        .headers(headersFor())
        .code(404)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('This page has no such file. It may have been updated: reload the page.\n');
    });
  };
}

interface Shown {
  index: BuiltPage['index'];
  place: Place;
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, { index, place }: Shown): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64');
  reply.headers(headersFor(nonce)).type('text/html; charset=utf-8');
  if (!index) return reply.code(503).header('cache-control', 'no-store').send(place.notBuilt);
  // With no-referrer, browsers send `Origin: null` with some of the page's own requests.
  reply.headers({ 'cache-control': 'no-cache', etag: index.etag, 'referrer-policy': 'same-origin' });
  if (!matchesEtag(request.headers['if-none-match'], index.etag))
    return reply.send(index.html.replaceAll('__CSP_NONCE__', nonce));
  // The cached page keeps the policy it came with: a new nonce would not match it.
  return reply.code(304).removeHeader('content-security-policy').removeHeader('content-type').send();
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: File, hashed: boolean): Promise<FastifyReply> {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const encoding = (Object.keys(encodings) as Encoding[]).find((name) => file.encoded[name] && accepted.has(name));
  const body = await readFile((encoding && file.encoded[encoding]) ?? file.place);
  reply.type(file.type).header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
  if (Object.keys(file.encoded).length > 0) reply.header('vary', 'accept-encoding');
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(body);
}

/** Headers with a policy that allows only this gateway's files and API, and no framing. */
const headersFor = (nonce = randomBytes(16).toString('base64')): Record<string, string> => ({
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src 'self'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

/** The encodings that the client accepts, without those with `q=0`. */
function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const entries = String(header ?? '').split(',');
  return new Set(
    entries.filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry)).map((entry) => (entry.split(';')[0] ?? '').trim().toLowerCase()),
  );
}

const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');

const consoleNotBuilt = `<!doctype html>
<html lang="en">
<title>Passerelle: the console is not built</title>
<h1>The console is not built</h1>
<p>Run <code>npm run make</code>, then start the gateway again. The manage API works without it: see <a href="/docs">/docs</a>.</p>
<div lang="fr">
<h1>La console n'est pas construite</h1>
<p>Lancez <code>npm run make</code>, puis redémarrez la passerelle. L'API de gestion marche sans elle&nbsp;: voir <a href="/docs">/docs</a>.</p>
</div>
</html>
`;

const profileNotBuilt = `<!doctype html>
<html lang="en">
<title>Passerelle: this page is not built</title>
<h1>This page is not built</h1>
<p>The operator of this gateway can build it with <code>npm run make</code>. The API of your profile works without it: see <a href="/docs">/docs</a>.</p>
<div lang="fr">
<h1>Cette page n'est pas construite</h1>
<p>L'opérateur de cette passerelle peut la construire avec <code>npm run make</code>. L'API de votre profil marche sans elle&nbsp;: voir <a href="/docs">/docs</a>.</p>
</div>
</html>
`;

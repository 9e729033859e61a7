import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicBodyBytes } from '../../gateway/http/body-bounds.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { hasOwnPath } from '../hooks.ts';
import { readAhead } from '../request-body.ts';
import { marksOf } from './credentials.ts';
import type { WorldPlace } from './place.ts';
import type { Worlds } from './worlds.ts';

/** What is below a world's address: its name, and the path and query there. */
const belowWorld = /^\/_stub\/worlds\/([^/?]+)(\/.*)$/;

/** The pages that show the stub itself. `/profile/v1` does not belong to them. */
const pageOfStub = /^\/(docs|openapi\.json|console|profile)([/?](?!v1\b)|$)/;

/**
 * Leads the calls with a world's credentials, and those below its address, to that world. They pass none of the hooks that follow.
 * All others are the stub's own, and so are its pages for people: below a world's address there are redirects to them.
 */
export function leadToWorlds(app: FastifyInstance, api: ServiceName, worlds: Worlds): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (worlds.size === 0) return done();
    const [, name = '', url = ''] = belowWorld.exec(request.url) ?? [];
    const place = name === '' ? byCredentials(api, worlds, request, reply) : worlds.place(name);
    // The call keeps the URL that was sent, because the world's app rewrites it too.
    const lead = (to: WorldPlace | undefined) => {
      if (!to) return done();
      request.unrecorded = true;
      if (pageOfStub.test(url)) return void reply.redirect(url);
      handOver(to, url || request.originalUrl, request, reply);
    };
    if (place instanceof Promise) void place.then(lead, done);
    else lead(place);
  });
}

function handOver(place: WorldPlace, url: string, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.url = url;
  place.serve(request.raw, reply.raw);
}

function byCredentials(
  api: ServiceName,
  worlds: Worlds,
  request: FastifyRequest,
  reply: FastifyReply,
): WorldPlace | undefined | Promise<WorldPlace | undefined> {
  if (hasOwnPath(request)) return undefined;
  const { ofToken, isSignIn } = marksOf(api);
  if (isSignIn(request)) return bySignIn(worlds, request, reply);
  const { headers } = request.raw;
  const markIn = (authorization = '') => {
    const [, token] = /^bearer +(\S+)/i.exec(authorization) ?? [];
    return token === undefined ? undefined : ofToken(token);
  };
  const mark = markIn(headers.authorization);
  return worlds.find((place) => {
    const authorization = place.authorizationIn(headers);
    const read = authorization === headers.authorization ? mark : markIn(authorization);
    return read !== undefined && place.has(read);
  });
}

/** Finds the world by any text in the body, because under an alternative the fields may have other names. */
async function bySignIn(worlds: Worlds, { raw: request }: FastifyRequest, { raw: response }: FastifyReply) {
  if (request.headers.expect !== undefined) response.writeContinue();
  const texts = textsIn(await readAhead(request, publicBodyBytes));
  return worlds.find((place) => texts.some((text) => place.has(text)));
}

function textsIn(body: string): string[] {
  try {
    return Object.values(JSON.parse(body) as object).filter((value) => typeof value === 'string');
  } catch {
    return [];
  }
}

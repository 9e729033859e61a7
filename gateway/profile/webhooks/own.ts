import type { FastifyRequest, RouteOptions } from 'fastify';
import { type Detail, forbidden, notFound, Refusal } from '../../base/errors.ts';
import type { App } from '../../http/api.ts';
import type { Rows } from '../../store/port.ts';
import { abilityNames } from '../../store/tables/cohesion.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import type { EndpointRules } from '../../webhooks/endpoints/endpoints.ts';
import { callerOf } from '../caller.ts';

export interface ProfileWebhookOptions extends EndpointRules {
  signatureHeader: string;
  /** Time limit of an attempt, in milliseconds. */
  deadlineMs: number;
}

export const tags = ['Your endpoints'];

interface Kind {
  /** What a row is called. */
  name: string;
  /** Returns true if the row exists and belongs to the owner. */
  isOwned(rows: Rows, owner: Partner, id: string): Promise<boolean>;
}

/** The rows with an id, by the part of the path before it. The owner of an endpoint never changes, so a check before a change holds. */
const kinds: Readonly<Record<string, Kind>> = {
  endpoints: {
    name: 'endpoint',
    isOwned: async (rows, owner, id) => (await rows.get('endpoints', { id, owner, deleted_at: null })) !== undefined,
  },
  deliveries: {
    name: 'delivery',
    async isOwned(rows, owner, id) {
      const delivery = await rows.get('deliveries', { id });
      // Deliveries of a deleted endpoint still belong to its owner.
      return delivery !== undefined && (await rows.get('endpoints', { id: delivery.endpoint_id, owner })) !== undefined;
    },
  },
  recoveries: {
    name: 'recovery',
    isOwned: async (rows, owner, id) => (await rows.get('recoveries', { id, owner })) !== undefined,
  },
};

/**
 * Makes every route with an id that is added after this refuse the ids of others, in the same words as ids that do not exist. A
 * route with an id of an unknown kind cannot be added, so that none forgets it.
 */
export function refuseOthers(app: App, rows: Rows): void {
  app.addHook('onRoute', (route) => {
    const [, list = '', hasId] = /\/([^/]+)\/(:id)(?:\/|$)/.exec(route.url) ?? [];
    if (hasId === undefined) return;
    const kind = kinds[list];
    if (kind === undefined)
      throw new Error(`${route.url}: no check says whose the id is. Add one in gateway/profile/webhooks/own.ts.`);
    runBefore(route, async (request) => {
      const { id } = request.params as { id: string };
      if (await kind.isOwned(rows, callerOf(request).owner, id)) return;
      throw notFound('id', `There is no ${kind.name} ${id} of yours. Check the id against the list of your ${list}.`);
    });
  });
}

function runBefore(route: RouteOptions, check: (request: FastifyRequest) => Promise<void>): void {
  route.preHandler = [check, ...[route.preHandler ?? []].flat()] as RouteOptions['preHandler'];
}

/** Events tell of everything in the user's perimeter, so a token must be able to read all of it. */
const needed = abilityNames.filter((ability) => ability.startsWith('read:'));

/**
 * Refuses tokens that may not read everything, on the routes that are added after this. A leaked token must not become an endpoint
 * that receives more than the token could read.
 */
export function refuseWeakTokens(app: App): void {
  app.addHook('onRequest', async (request) => {
    const { token } = callerOf(request);
    const missing = token ? needed.filter((ability) => !token.abilities.includes(ability)) : [];
    if (missing.length === 0) return;
    const message = `Webhooks tell of everything that the user may see, and this token lacks ${missing.join(', ')}. Sign in with a token that has all of ${needed.join(', ')}.`;
    throw forbidden('abilities_missing', message);
  });
}

/** Paths in the messages of verbs, and the paths that replace them in the profile. */
const paths = [
  ['/manage/v1/event-types', '/profile/v1/events/catalogue'],
  ['/manage/v1/', '/profile/v1/'],
] as const;
const inWordsHere = (text: string) => paths.reduce((said, [there, here]) => said.replaceAll(there, here), text);

/**
 * Changes refusals of the routes that are added after this: where a verb names a path of operators, the profile's path is named.
 */
export function speakToPartners(app: App): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      try {
        return await handler.call(this, request, reply);
      } catch (error) {
        throw error instanceof Refusal ? translated(error) : error;
      }
    };
  });
}

function translated({ kind, code, message, ...refusal }: Refusal): Refusal {
  const details = refusal.details.map((detail): Detail => ({ ...detail, message: inWordsHere(detail.message) }));
  return new Refusal(kind, code, inWordsHere(message), { ...refusal, details });
}

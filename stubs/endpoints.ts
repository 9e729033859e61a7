import { invalid, Refusal } from '../gateway/base/errors.ts';
import type { Keyring } from '../gateway/base/keyring.ts';
import type { Services } from '../gateway/http/api.ts';
import type { Where } from '../gateway/store/port.ts';
import type { EventService } from '../gateway/store/tables/webhooks.ts';
import { createEndpoint, type Endpoint, removeEndpoint as remove } from '../gateway/webhooks/endpoints/endpoints.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { knownOwner } from './owners.ts';
import type { NewStubEndpoint, StubEndpoint } from './webhook-types.ts';
import type { Gateway } from './webhooks.ts';

type Parts = Pick<Gateway, 'services' | 'catalogue'>;

/** The signing secret of a stub without one of its own. It is the same at each start, so that tests can contain it. */
export const usualSecret = (keys: Keyring, service: EventService): string =>
  `whsec_${keys.derive(`stub webhook ${service} 1`).toString('base64')}`;

/** Returns the secret if every receiver can use it. Throws `invalid`. The bounds are those of Standard Webhooks. */
export function checkSecret(secret: string): string {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(encoded, 'base64');
  // Some receivers refuse base64 without its padding.
  if (key.length >= 24 && key.length <= 64 && key.toString('base64') === encoded) return secret;
  throw invalid(
    'secret',
    'secret',
    `The secret ${JSON.stringify(secret)} must be whsec_ followed by the base64 of 24 to 64 bytes.`,
  );
}

interface Added extends NewStubEndpoint {
  secret: string;
  perimeter?: string[] | null;
  /** A note for operators. */
  description?: string;
}

/**
 * Registers an endpoint with this signing secret. An owned one needs no verification: the stub's user vouches for it, as an
 * operator does. Throws a `Refusal` if a field is not accepted.
 */
export async function addEndpoint(
  { services, catalogue }: Parts,
  service: ServiceName,
  { url, events = null, filter = null, secret, owner, perimeter = null, description = 'of the stub' }: Added,
): Promise<StubEndpoint> {
  const { store, keys, change } = services;
  checkSecret(secret);
  const owned = owner === undefined ? null : await knownOwner(store, { service, owner });
  const input = { service, url, events, filter, description, perimeter, active: true, ...(owned && { owner: owned }) };
  const id = await change(async (step) => {
    const { endpoint } = await createEndpoint(step, input, { catalogue, allowLoopback: true, byOperator: true, keys, secret });
    return endpoint.id;
  });
  return { id, url, events, secret, owner: owned };
}

/** Returns the endpoints by their ids, the oldest first, also those that the manage API makes, but none of single events. */
export function followEndpoints({ onWrite, keys }: Pick<Services, 'onWrite' | 'keys'>): Map<string, StubEndpoint> {
  const endpoints = new Map<string, StubEndpoint>();
  const follow = ({ id, url, events, secrets, owner, deleted_at }: Endpoint) => {
    if (deleted_at !== null) endpoints.delete(id);
    else if (events?.length !== 0) {
      const secret = keys.open(secrets[0]?.sealed ?? '');
      endpoints.set(id, { id, url, events, secret, owner: owner === 'operator' ? null : owner });
    }
  };
  onWrite('endpoints', (rows = []) => {
    for (const row of rows) follow(row as Endpoint);
  });
  return endpoints;
}

/** Removes an endpoint. Throws `not_found`. */
export async function removeEndpoint({ services }: Pick<Gateway, 'services'>, id: string): Promise<void> {
  if (!(await services.store.get('endpoints', { id, deleted_at: null })))
    throw new Refusal(
      'not_found',
      'unknown_endpoint',
      `There is no endpoint ${id}. GET /manage/v1/endpoints (passerelle stub endpoints) lists all of them.`,
    );
  await services.change((step) => remove(step, id));
}

export interface Target {
  to: string;
  /** Undefined: that of the endpoint at this URL, or else that of the stub. */
  secret: string | undefined;
  stubSecret: string;
  /** Undefined: any owner, or the operator if there is no endpoint. */
  owner: string | undefined;
}

/**
 * Returns the id of the endpoint that takes single events to a URL: the one that is registered there, or a new one without
 * event types. Throws a `Refusal` if the URL is not accepted, or if its endpoint signs with another secret.
 */
export async function endpointAt(parts: Parts, service: ServiceName, { to, secret, stubSecret, owner }: Target): Promise<string> {
  const { store, keys } = parts.services;
  const url = URL.parse(to)?.href.split('#')[0] ?? to;
  const owned = owner === undefined ? {} : { owner: await knownOwner(store, { service, owner }) };
  const where: Where<'endpoints'> = { service, url, active: true, deleted_at: null, ...owned };
  const active = await store.list('endpoints', { where });
  // An endpoint for single events is used again only for an owner, who may have a limited number of endpoints.
  const registered = active.filter(({ events }) => events === null || events.length > 0 || owner !== undefined);
  const secretsOf = ({ secrets }: Endpoint) => secrets.map(({ sealed }) => keys.open(sealed));
  const fitting = registered.find((endpoint) => secret === undefined || secretsOf(endpoint).includes(secret));
  if (fitting) return fitting.id;
  if (registered[0]) throw otherSecret(to, registered[0].id);
  const added = { url: to, events: [], secret: secret ?? stubSecret, ...(owner !== undefined && { owner }) };
  return (await addEndpoint(parts, service, { ...added, description: 'of single events' })).id;
}

function otherSecret(url: string, id: string): Refusal {
  const message = `The endpoint ${id} is at ${url} and signs with another secret. Leave the secret out, or remove the endpoint with DELETE /manage/v1/endpoints/${id} or \`passerelle stub endpoints remove ${id}\`.`;
  return new Refusal('conflict', 'other_secret', message);
}

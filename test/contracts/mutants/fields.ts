import type { OpenGateway } from '../../../contracts/tools/reference-gateway.ts';
import type { Behaviour } from '../../../spec/documents/behaviours.ts';
import { leftOut, ofAnotherType, type Spoil, spoilt } from '../../../spec/documents/spoil.ts';
import type { Edit } from './mutation.ts';

/** Each way to spoil all documented fields at once. A problem's place says which field it is about. */
export const spoils: Readonly<Record<string, Spoil>> = { 'left out': leftOut, 'of another type': ofAnotherType };

const spoiltText = (text: string, places: readonly string[], spoil: Spoil): string =>
  JSON.stringify(spoilt(JSON.parse(text), places, spoil));

/** The API with these documented fields spoilt in its successful replies. The back office answers as before. */
export function spoilReplies(open: OpenGateway, all: readonly Behaviour[], spoil: Spoil): OpenGateway {
  const fields = all.flatMap(({ field }) => field ?? []);
  return async (name) => {
    const gateway = await open(name);
    const inject = async (request: { url: string }) => {
      const reply = await gateway.app.inject(request);
      const isOfApi = !request.url.startsWith('/manage/') && reply.statusCode < 300;
      return {
        ...reply,
        headers: reply.headers,
        statusCode: reply.statusCode,
        payload: isOfApi ? spoiltText(reply.payload, fields, spoil) : reply.payload,
      };
    };
    return { ...gateway, app: { inject } as unknown as typeof gateway.app };
  };
}

/** Spoils the documented fields of events. `name` is any word that no other call uses. */
export function spoilEvents(all: readonly Behaviour[], name: string, spoil: Spoil): Edit[] {
  const fields = all.flatMap(({ field }) => field ?? []);
  const key = Symbol.for('passerelle spoilt events');
  const registry = globalThis as unknown as Record<symbol, Record<string, (text: string) => string>>;
  registry[key] = { ...registry[key], [name]: (text) => spoiltText(text, fields, spoil) };
  return [
    [
      'gateway/webhooks/outbox/event.ts',
      /body: (`.*`),/,
      `body: globalThis[Symbol.for('passerelle spoilt events')]['${name}']($1),`,
    ],
  ];
}

/** Returns true if a problem's path, such as `$.data[0].code`, is the place of a field, such as `data.*.code`, or within it. */
export const isAt = (path: string, field: string): boolean =>
  path === `$.${field}` || path.replaceAll(/\[\d+\]/g, '.*').replace(/\.\*$/, '') === `$.${field}`;

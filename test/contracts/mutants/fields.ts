import type { Behaviour } from '../../../contracts/documents/behaviours.ts';
import type { OpenGateway } from '../../../contracts/tools/reference-gateway.ts';
import type { Edit } from './mutation.ts';

/** How a documented field is spoilt: by its value, which is undefined if it is left out. */
export type Spoil = (value: unknown) => unknown;

/** Each way to spoil all documented fields at once. A problem's place says which field it is about. */
export const spoils: Readonly<Record<string, Spoil>> = {
  'left out': () => undefined,
  'of another type': (value) => (typeof value === 'string' ? 7 : 'text'),
};

type Json = Record<string, unknown>;

/** Returns the steps to each field of the body that a place such as `data.*.code` means. */
function fieldsAt(body: unknown, [step = '', ...rest]: readonly string[]): string[][] {
  if (typeof body !== 'object' || body === null) return [];
  const names = step === '*' ? Object.keys(body) : [step].filter((name) => Object.hasOwn(body, name));
  return names.flatMap((name) => {
    const further = rest.length === 0 ? [[]] : fieldsAt((body as Json)[name], rest);
    return further.map((steps) => [name, ...steps]);
  });
}

function spoilt(text: string, places: readonly string[], spoil: Spoil): string {
  const body: unknown = JSON.parse(text);
  // Two places may mean one field, which is spoilt once.
  const found = new Set(places.flatMap((place) => fieldsAt(body, place.split('.'))).map((steps) => steps.join('.')));
  for (const field of found) {
    const steps = field.split('.');
    const name = steps.pop() as string;
    const holder = steps.reduce((inner, step) => inner[step] as Json, body as Json);
    holder[name] = spoil(holder[name]);
  }
  return JSON.stringify(body);
}

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
        payload: isOfApi ? spoilt(reply.payload, fields, spoil) : reply.payload,
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
  registry[key] = { ...registry[key], [name]: (text) => spoilt(text, fields, spoil) };
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

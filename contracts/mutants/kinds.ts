/** Building blocks for mutants. */
import type { Behaviour } from '../documents/behaviours.ts';
import { leftOut, ofAnotherType, type Spoil, spoilt, spoiltThroughout, withAnotherValue } from '../documents/spoil.ts';
import { body, data, of, on, payload, sequence, withoutHeaders } from '../gaps/is/changes.ts';
import { both, type Condition, isOperation, sent, when } from '../gaps/is/conditions.ts';
import type { Asked, Is, JsonMessage } from '../gaps/is/is.ts';
import { everywhere, without } from '../gaps/is/values.ts';
import type { Json, JsonReply } from '../json.ts';
import { type Mutant, type Mutated, takesAway, withField } from './mutant.ts';

type Operations = string | readonly string[];

/** Operations as alternatives name them: `POST /sales`. */
export const operationsOn = ({ on: places }: Pick<Behaviour, 'on'>): string[] =>
  places.filter((place) => place.includes(' ')).map((place) => place.replace(/\/api(\/v1)?/, ''));

/** How texts name an operation, or what it leads to: by the path that follows the documents' base address. */
export const calledAs = (operation: string): string => operation.replace(/ \/auth$/, ' /api/auth');

const listed = (operations: Operations): string => [operations].flat().map(calledAs).join(', ');

/** A field of replies and webhooks. */
const spoiltField = (spoil: Spoil, operations: readonly string[], events: readonly string[], field: string): Is => ({
  at: 'names',
  reply: on(
    operations,
    body((held) => spoilt(held, [field], spoil)),
  ),
  message: of(events, (message: JsonMessage) => ({ ...message, body: spoilt(message.body, [field], spoil) })),
});

/** Fields whose value nobody can foresee, and which a further call takes. */
const isOpaque = (field: string): boolean => /^(token|data(\.\*)?\.id)$/.test(field);

/** The mutants of all documented fields: each has another value, is of another type, or is left out. */
export const spoiltFields = (...api: Parameters<typeof withField>): Mutated[] =>
  withField(...api).map(({ id, on: places, field }) => {
    const events = places.filter((place) => !place.includes(' '));
    const is = (spoil: Spoil) => spoiltField(spoil, operationsOn({ on: places }), events, field);
    const of = `${field} of ${places.map((place) => place.replace('/api/v1', '')).join(', ')}`;
    const test = isOpaque(field)
      ? `Use ${of} in a further call, and look at its status.`
      : `Compare ${of} with the value that the stub has, not only whether it is there.`;
    return takesAway(id, [
      { id: 'other-value', text: `${of} has another value.`, test, is: is(withAnotherValue) },
      { id: 'other-type', text: 'It is of another type.', test, is: is(ofAnotherType) },
      { id: 'left-out', text: 'It is left out.', test, is: is(leftOut) },
    ]);
  });

/** The service stores another value than the one that was sent: its replies and the events that follow have it. */
export const storedOtherwise = (operation: string, field: string, events: readonly string[] = []): Mutant => {
  const change = everywhere([field], withAnotherValue);
  return {
    id: 'stored-otherwise',
    text: `The service stores another ${field} than ${operation} sends.`,
    test: `Compare the ${field} that ${operation} answers with the one that was sent.`,
    is: { at: 'values', reply: on(operation, data(change)), message: of(events, payload(change)) },
  };
};

/** The service reads another body than the one that was sent. `change` returns the whole body. */
export const readOtherwise = (
  operation: string,
  field: string,
  how: string,
  change: (sent: Json) => Json | undefined,
): Mutant => ({
  id: 'read-otherwise',
  text: `${operation}: ${how}`,
  test: `Look at what ${operation} leads to, such as its reply: it must follow from the ${field} that was sent.`,
  is: {
    at: 'outcome',
    request(asked) {
      const changed = asked.operation === operation ? change(sent(asked)) : undefined;
      return changed && { body: changed };
    },
  },
});

/** The service ignores a parameter. */
export const ignored = (operations: Operations, name: string, isIt: (value: string) => boolean = () => true): Mutant => ({
  id: 'ignored',
  text: `${listed(operations)}: ${name} is ignored.`,
  test: `Have data that ${name} leaves out, and see that what ${listed(operations)} answers with ${name} is without it.`,
  is: {
    at: 'outcome',
    request: ({ operation, query }) =>
      [operations].flat().includes(operation) && query[name] !== undefined && isIt(query[name])
        ? { query: without(query, name) }
        : undefined,
  },
});

/** The service refuses every call with 404. */
export const absent = (operations: Operations): Mutant => ({
  id: 'absent',
  text: `${listed(operations)} answers 404.`,
  test: `Look at the status of each reply of ${listed(operations)}, and fail if it is no 2xx.`,
  hidesOthers: true,
  is: {
    at: 'outcome',
    request: ({ operation, path }) =>
      [operations].flat().includes(operation)
        ? { status: 404, code: 'unknown_operation', details: [], message: `There is no ${path}.` }
        : undefined,
  },
});

/** Every reply is a page in place of JSON, as a proxy or a broken service sends it. */
export const pagesInPlaceOfJson: Mutant = {
  id: 'page',
  text: 'Replies are HTML in place of JSON.',
  test: 'Parse each reply, and fail if it is no JSON.',
  hidesOthers: true,
  is: {
    at: 'errors',
    reply: ({ status, headers }) => ({
      status,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
      body: '<html><body>Welcome</body></html>',
    }),
  },
};

/** How a call that must be refused is accepted. */
export type Success = (asked: Asked) => unknown;

/** The service accepts what it must refuse. */
export const accepted =
  (success: Success) =>
  (what: string, refusal: Condition, operations?: readonly string[]): Mutant => ({
    id: 'accepted',
    text: `${what} is accepted.`,
    test: `Make a call with ${what.charAt(0).toLowerCase()}${what.slice(1)}, and expect that your program tells of the refusal.`,
    is: {
      at: 'outcome',
      reply: when(
        both(...(operations ? [isOperation(...operations)] : []), refusal),
        sequence(withoutHeaders('www-authenticate', 'retry-after'), (reply: JsonReply, asked) => ({
          ...reply,
          status: asked.operation.startsWith('POST') ? 201 : 200,
          body: success(asked),
        })),
      ),
    },
  });

export const lost = (event: string): Mutant => ({
  id: 'lost',
  text: `The webhook ${event} is never sent.`,
  test: `Wait for what ${event} leads to, and fail if it does not happen.`,
  is: { at: 'subject', loses: event },
});

/** All that an event's data says is something else. */
export const otherData = (event: string): Mutant => ({
  id: 'other-data',
  text: `Every value in the data of the webhook ${event} is another one.`,
  test: `Compare what follows from ${event} with its data.`,
  is: {
    at: 'values',
    message: of(
      event,
      payload((held) => spoiltThroughout(held, withAnotherValue)),
    ),
  },
});

/** Changes the signature of the documents, and those of Standard Webhooks. */
const signatures = (change: (signature: string) => string): Is => ({
  at: 'status',
  message: (message) => {
    const entries = Object.entries(message.metadata).map(([name, value]) => [
      name,
      /^(x-service|webhook)-signature$/i.test(name) ? change(String(value)) : value,
    ]);
    return { ...message, metadata: Object.fromEntries(entries) };
  },
});

/** During a rotation there are several. */
const otherDigits = (signature: string) =>
  signature.replace(/[\w+/](?=[\w+/]{7}=*( |$))/g, (digit) => (digit === 'a' ? 'b' : 'a'));

const refusesSignatures = 'Send your receiver a webhook whose signature is wrong, and one without, and expect 401 and no effect.';

/** Webhooks whose signature is of other bytes, and webhooks without one. */
export const wrongSignatures: readonly Mutant[] = [
  {
    id: 'of-other-bytes',
    text: 'The signature of each webhook is one of other bytes.',
    test: refusesSignatures,
    is: signatures(otherDigits),
  },
  { id: 'empty', text: 'The signature of each webhook is empty.', test: refusesSignatures, is: signatures(() => '') },
];

export const noLimits: Mutant = {
  id: 'not-enforced',
  text: 'Limits of calls are not enforced.',
  test: 'Make more calls than the limit allows, and see that your program waits and goes on after 429.',
  is: { at: 'subject', hasNoLimits: true },
};

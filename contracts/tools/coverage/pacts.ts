import { nearestOf } from '../../../gateway/base/nearest.ts';
import { behaviourNamed, behaviours } from '../../../spec/documents/behaviours.ts';
import type { HoldingTest } from '../../../spec/documents/held-by-tests.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { eventsOf, findOperation } from '../../../spec/openapi/operations.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { eventTypeOf, type HttpInteraction, type MessageInteraction, type PactFile } from '../verification/pact-file.ts';
import { type Coverage, coverUses, fieldsIn, nameOf, type Unknown, type Use } from './coverage.ts';

type Call = HttpInteraction & { by: string };
type Awaited = MessageInteraction & { by: string };

function useOf(provider: ServiceName, call: Call): Use {
  const { by, request, reply } = call;
  return {
    by,
    times: 1,
    method: request.method,
    path: new Hider(secretsIn(call)).text(request.path),
    operation: findOperation(provider, request.method, request.path),
    status: String(reply.status),
    query: Object.keys(request.query),
    body: fieldsIn(request.body),
  };
}

function unknownEvent(types: readonly string[], message: Awaited): Unknown[] {
  const type = eventTypeOf(message);
  if (type !== undefined && types.includes(type)) return [];
  return [
    { by: message.by, what: type === undefined ? 'a message that names no event' : `event ${type}`, nearest: types.join(', ') },
  ];
}

/** A reference of an interaction to a behaviour, and the operation or event that the interaction uses. */
interface Holding {
  by: string;
  id: string;
  of: string | undefined;
}

/** A pending interaction may fail without notice, so it holds nothing. */
const holdingsOf = ({ by, holds, pending }: Call | Awaited, of: string | undefined): Holding[] =>
  pending ? [] : holds.map((id) => ({ by, id, of }));

/** Returns the references that say nothing: to no behaviour of this provider, or from an interaction that does not show it. */
function idleHoldings(provider: ServiceName, { by, id, of }: Holding): Unknown[] {
  const behaviour = behaviourNamed(id);
  if (behaviour?.document !== provider) {
    const nearest = nearestOf(
      id,
      behaviours[provider].map((one) => one.id),
    );
    return [{ by, what: `behaviour ${id}`, ...(nearest && { nearest }) }];
  }
  return behaviour.on.includes(of ?? '')
    ? []
    : [{ by, what: `behaviour ${id} of ${of ?? 'an unknown call'}`, nearest: behaviour.on.join(', ') }];
}

export interface CoverageInput {
  provider: ServiceName;
  pacts: readonly PactFile[];
  /** Tests that hold behaviours. */
  tests?: readonly HoldingTest[];
}

/**
 * Lists three groups of parts: used by pacts, used by no pact, and expected by pacts but not in the API. Also lists what holds
 * each documented behaviour.
 */
export function coverPacts({ provider, pacts, tests = [] }: CoverageInput): Coverage {
  const all = pacts.flatMap(({ consumer, interactions }) =>
    interactions.map((interaction) => ({
      ...interaction,
      by: `${consumer}: ${new Hider(secretsIn(interaction)).text(interaction.description)}`,
    })),
  );
  const calls = all.filter((one): one is Call => one.kind === 'http');
  const messages = all.filter((one): one is Awaited => one.kind === 'message');
  const uses = calls.map((call) => useOf(provider, call));
  const holdings = [
    ...calls.flatMap((call, at) => holdingsOf(call, uses[at]?.operation && nameOf(uses[at].operation))),
    ...messages.flatMap((one) => holdingsOf(one, eventTypeOf(one))),
  ];
  const types = Object.keys(eventsOf(provider));
  const { operations, events, unknown } = coverUses(
    provider,
    uses,
    messages.map((one) => ({ by: one.by, type: eventTypeOf(one) ?? '' })),
  );
  return {
    provider,
    consumers: [...new Set(pacts.map(({ consumer }) => consumer))],
    operations,
    events,
    behaviours: behaviours[provider].map(({ id, section, says, on }) => ({
      id,
      section,
      says,
      on,
      by: holdings.filter((one) => one.id === id && on.includes(one.of ?? '')).map(({ by }) => by),
      tests: tests.filter(({ behaviour }) => behaviour === id).map(({ file, test }) => `${file}: ${test}`),
    })),
    unknown: [
      ...unknown,
      ...messages.flatMap((message) => unknownEvent(types, message)),
      ...holdings.flatMap((holding) => idleHoldings(provider, holding)),
    ],
  };
}

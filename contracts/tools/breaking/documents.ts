import type { AnySchema } from './alternatives.ts';
import {
  type Bodies,
  type Operation,
  type Prepared,
  pathKey,
  prepare,
  type Reply,
  type Throttle,
  type Value,
} from './prepare.ts';
import { type Source, withoutReferences } from './references.ts';
import { type Change, canonical, change, type Direction, harmless, ruleOf, type Severity } from './rules.ts';
import { SchemaComparison } from './schemas.ts';

/** A change as reports show it. */
export interface Finding extends Omit<Change, 'rule'> {
  rule: string;
  severity: Severity;
  what: string;
  /** The consequence for consumers; none if they notice nothing. */
  why?: string;
}

/** An operation in the old and in the new document. */
interface Pair {
  before: Operation;
  after: Operation;
  place: string;
}

/** Returns true if an authorization that satisfies one alternative also satisfies the other. */
const suffices = (had: Record<string, readonly string[]>, asked: Record<string, readonly string[]>) =>
  Object.entries(asked).every(([scheme, scopes]) => scheme in had && scopes.every((scope) => had[scheme]?.includes(scope)));

function compareSecurity({ before, after, place }: Pair): Change[] {
  const open = [{}];
  const now = after.security.length === 0 ? open : after.security;
  const lost = (before.security.length === 0 ? open : before.security).filter(
    (had) => !now.some((asked) => suffices(had, asked)),
  );
  return lost.length === 0 ? [] : [change('security-tightened', place, before.security, after.security)];
}

function compareAbilities({ before, after, place }: Pair): Change[] {
  const added = after.abilities.filter((ability) => !before.abilities.includes(ability));
  return added.map((ability) => change('ability-required', place, before.abilities, ability));
}

/** A limit with fewer calls is stricter even if its time is shorter: a consumer that sends all its calls at once notices it. */
const isStricter = (before: Throttle, after: Throttle) =>
  after.calls < before.calls || after.calls / after.seconds < before.calls / before.seconds || before.per !== after.per;

/** Documents that say nothing about throttles promise nothing. */
function compareThrottles({ before, after, place }: Pair): Change[] {
  if (before.throttles === undefined) return [];
  const old = new Map(before.throttles.map((one) => [one.name, one]));
  const stricter = (after.throttles ?? []).filter((one) => {
    const was = old.get(one.name);
    return was === undefined || isStricter(was, one);
  });
  const shown = ({ name, ...numbers }: Throttle) => ({ ...JSON.parse(name), ...numbers });
  return stricter.map((one) => {
    const was = old.get(one.name);
    return change('throttle-stricter', `${place}, throttle`, was && shown(was), shown(one));
  });
}

const gone = (before: readonly string[], after: readonly string[]) => before.filter((url) => !after.includes(url));

/** Some media types stand for many, such as `text/*`. A call with one of these types fits. */
function bodyAt(bodies: Bodies, type: string, direction: Direction): AnySchema | undefined {
  const exact = bodies.get(type);
  return exact !== undefined || direction === 'received' ? exact : (bodies.get(`${type.split('/')[0]}/*`) ?? bodies.get('*/*'));
}

/** Error statuses follow from calls that went wrong; the others from calls that worked. */
const isRefusal = (status: string) => /^([45]|DEFAULT)/.test(status);
const rangeOf = (status: string) => `${status[0]}XX`;

/** The general statuses that cover a status, the nearest first. */
const generalOf = (status: string) => [rangeOf(status), 'DEFAULT'].filter((one) => one !== status);
const shownStatus = (status: string) => (status === 'DEFAULT' ? 'default' : status);

const replyCovering = (replies: Operation['replies'], status: string) => replies.get(status) ?? replies.get(rangeOf(status));

/** Returns the replies that a status of the old document has in the new one: itself, its range, or those within its range. */
function repliesAt(replies: Operation['replies'], status: string): Reply[] {
  const within = [...replies].filter(([one]) => one !== status && rangeOf(one) === status);
  const found = replyCovering(replies, status);
  if (found !== undefined) return [found];
  if (within.length > 0) return within.map(([, reply]) => reply);
  return [replies.get('DEFAULT')].filter((one) => one !== undefined);
}

/** Returns the general status that alone covers a success which the old document names. */
function generalizedTo(replies: Operation['replies'], status: string): string | undefined {
  const isNamed = [...replies.keys()].some((one) => one === status || rangeOf(one) === status);
  return isRefusal(status) || isNamed ? undefined : generalOf(status).find((one) => replies.has(one));
}

/** Compares two documents in one direction: what a consumer of the first may notice. */
class DocumentComparison {
  readonly #schemas = new SchemaComparison();
  readonly #texts = new SchemaComparison({ isText: true });

  compare(before: Prepared, after: Prepared): Change[] {
    return [...compareAccess(before, after), ...this.#operations(before, after), ...this.#events(before, after)];
  }

  #operations(before: Prepared, after: Prepared): Change[] {
    return [...before.operations].flatMap(([key, { shown, operation }]) => {
      const to = after.operations.get(key)?.operation;
      if (to === undefined) return [change('operation-removed', shown, operation.operationId)];
      const pair: Pair = { before: operation, after: to, place: shown };
      const had = operation.servers ?? (to.servers && before.servers);
      const lost = had ? gone(had, to.servers ?? after.servers) : [];
      return [
        ...lost.map((url) => change('server-removed', `${shown}, servers`, url, to.servers ?? after.servers)),
        ...compareSecurity(pair),
        ...compareAbilities(pair),
        ...compareThrottles(pair),
        ...this.#parameters(pair),
        ...this.#sentBody(pair),
        ...this.#replies(pair),
        ...(to.isDeprecated && !operation.isDeprecated ? [change('deprecated', shown)] : []),
      ];
    });
  }

  #value(before: Value, after: Value, direction: Direction, place: string): Change[] {
    const isText = [before, after].every(({ serialization }) => serialization.startsWith('style '));
    const structured = [before, after].some(({ schema }) => mayBeStructured(schema));
    return [
      ...(structured && before.serialization !== after.serialization
        ? [change('serialization-changed', place, before.serialization, after.serialization)]
        : []),
      ...(isText ? this.#texts : this.#schemas).compare(before.schema, after.schema, direction, place),
    ];
  }

  #parameters({ before, after, place }: Pair): Change[] {
    const kept = [...before.parameters].flatMap(([key, was]) => {
      const to = after.parameters.get(key);
      const at = `${place}, ${key}`;
      if (to === undefined) return [change('parameter-removed', at, was.schema)];
      const becameRequired = to.required && !was.required ? [change('parameter-required', at, 'optional', 'required')] : [];
      return [...becameRequired, ...this.#value(was, to, 'sent', at)];
    });
    const added = [...after.parameters].filter(([key, { required }]) => required && !before.parameters.has(key));
    const inPath = before.pathParameters.flatMap((was, at) => {
      const to = after.pathParameters[at];
      return to === undefined ? [] : this.#value(was, to, 'sent', `${place}, path ${was.name}`);
    });
    return [...inPath, ...kept, ...added.map(([key]) => change('parameter-required', `${place}, ${key}`, undefined, 'required'))];
  }

  #sentBody({ before: { body: from }, after: { body: to }, place }: Pair): Change[] {
    const at = `${place}, body`;
    if (from !== undefined && to === undefined) return [change('body-removed', at)];
    const required = to?.required === true && from?.required !== true;
    const was = from === undefined ? undefined : 'optional';
    return [
      ...(required ? [change('body-required', at, was, 'required')] : []),
      ...this.#bodies(from?.bodies, to?.bodies, 'sent', at),
    ];
  }

  #bodies(before: Bodies = new Map(), after: Bodies = new Map(), direction: Direction = 'sent', place = ''): Change[] {
    return [...before].flatMap(([type, from]) => {
      const to = bodyAt(after, type, direction);
      if (to === undefined) return [change('content-type-removed', `${place}, ${type}`, type, [...after.keys()])];
      return this.#schemas.compare(from, to, direction, `${place}, ${before.size > 1 ? `${type} ` : ''}$`);
    });
  }

  #headers(before: readonly Value[], after: readonly Value[], place: string): Change[] {
    const lowered = new Map(after.map((header) => [header.name.toLowerCase(), header]));
    return before.flatMap((was) => {
      const to = lowered.get(was.name.toLowerCase());
      const at = `${place}, header ${was.name}`;
      if (to === undefined) return [change('header-removed', at, was.schema)];
      const optional = was.required && !to.required ? [change('header-optional', at, 'required', 'optional')] : [];
      return [...optional, ...this.#value(was, to, 'received', at)];
    });
  }

  #reply(before: Reply, after: Reply, place: string): Change[] {
    return [
      ...this.#headers(before.headers, after.headers, place),
      ...this.#bodies(before.bodies, after.bodies, 'received', place),
    ];
  }

  #replies({ before, after, place }: Pair): Change[] {
    const kept = [...before.replies].flatMap(([status, reply]) => {
      const found = repliesAt(after.replies, status);
      const at = `${place}, reply ${shownStatus(status)}`;
      const general = generalizedTo(after.replies, status);
      const generalized = general ? [change('success-generalized', at, status, shownStatus(general))] : [];
      if (found.length > 0) return [...generalized, ...found.flatMap((to) => this.#reply(reply, to, at))];
      return [change(isRefusal(status) ? 'refusal-removed' : 'status-removed', at, status, [...after.replies.keys()])];
    });
    const added = [...after.replies.keys()].filter(
      (status) => !isRefusal(status) && repliesAt(before.replies, status).length === 0,
    );
    // If a new status replaces an old one, this is one change, and the finding about the old status reports it.
    const isMoved = kept.some(({ rule }) => rule === 'status-removed');
    return isMoved
      ? kept
      : [...kept, ...added.map((status) => change('success-added', `${place}, reply ${status}`, undefined, status))];
  }

  /** Compares events: the consumer receives their body, while it sends the body of a call. */
  #events(before: Prepared, after: Prepared): Change[] {
    return [...before.events].flatMap(([place, from]) => {
      const to = after.events.get(place);
      if (to === undefined) return [change('event-removed', place, place.replace(/^event /, ''))];
      const headersOf = ({ parameters }: Operation) => [...parameters.values()].filter((one) => one.in === 'header');
      const statuses = [...from.replies.keys()].filter(
        (status) => !(replyCovering(to.replies, status) ?? to.replies.has('DEFAULT')),
      );
      return [
        ...this.#headers(headersOf(from), headersOf(to), place),
        ...this.#bodies(from.body?.bodies, to.body?.bodies, 'received', place),
        ...statuses.map((status) => change('status-removed', `${place}, answer ${status}`, status, [...to.replies.keys()])),
      ];
    });
  }
}

function mayBeStructured(schema: AnySchema): boolean {
  if (typeof schema === 'boolean') return schema;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return types.length === 0 || types.some((type) => type === 'array' || type === 'object');
}

/** Remarks of a scheme that do not change what a consumer sends. */
const sentBy = (scheme: unknown): string => {
  const { description, bearerFormat, flows, ...rest } = scheme as Record<string, unknown>;
  return canonical(rest);
};

/** Gives the schemes of the new document the names that the same schemes had in the old one, because consumers never see them. */
function withOldNames(before: Prepared, after: Prepared): Prepared {
  const renamed = new Map<string, string>();
  for (const [name, scheme] of after.schemes) {
    if (before.schemes.has(name)) continue;
    const same = [...before.schemes].find(([old, one]) => !after.schemes.has(old) && sentBy(one) === sentBy(scheme));
    if (same) renamed.set(name, same[0]);
  }
  if (renamed.size === 0) return after;
  const named = (name: string) => renamed.get(name) ?? name;
  const withNames = (operation: Operation): Operation => ({
    ...operation,
    security: operation.security.map((one) =>
      Object.fromEntries(Object.entries(one).map(([name, scopes]) => [named(name), scopes])),
    ),
  });
  return {
    ...after,
    schemes: new Map([...after.schemes].map(([name, scheme]) => [named(name), scheme])),
    operations: new Map([...after.operations].map(([key, one]) => [key, { ...one, operation: withNames(one.operation) }])),
  };
}

function compareAccess(before: Prepared, after: Prepared): Change[] {
  const changed = [...before.schemes].filter(([name, scheme]) => {
    const now = after.schemes.get(name);
    return now !== undefined && sentBy(scheme) !== sentBy(now);
  });
  return [
    ...gone(before.servers, after.servers).map((url) => change('server-removed', 'servers', url, after.servers)),
    ...changed.map(([name, scheme]) =>
      change('security-scheme-changed', `authorization ${name}`, scheme, after.schemes.get(name)),
    ),
  ];
}

/** The place without names of path parameters, which may differ between the documents. */
const placeKey = (place: string) => pathKey(place).replace(/, path [^,.[]+/, ', path');

/**
 * Returns all changes, the worst first. A change that is found only when the documents are swapped is harmless: the new document
 * has something that the old one lacks.
 */
export function findChanges(old: Source, now: Source): Finding[] {
  const before = prepare(withoutReferences(old));
  const after = withOldNames(before, prepare(withoutReferences(now)));
  const found = new DocumentComparison().compare(before, after);
  const places = new Set(found.map(({ place }) => placeKey(place)));
  const swapped = new DocumentComparison().compare(after, before).filter(({ place }) => !places.has(placeKey(place)));
  const findings = [...found.map(noticed), ...swapped.flatMap(unnoticed)];
  const rank = { breaking: 0, risky: 1, harmless: 2 };
  return findings.sort((one, other) => rank[one.severity] - rank[other.severity]);
}

function noticed(one: Change): Finding {
  const { severity, what, why } = ruleOf(one.rule);
  return { ...one, severity, what, why };
}

/** Turns a change from the new to the old document into a change from the old to the new one. */
function unnoticed({ rule, place, before, after }: Change): Finding[] {
  const { swapped } = ruleOf(rule);
  if (swapped === undefined) return [];
  const values = { ...(after !== undefined && { before: after }), ...(before !== undefined && { after: before }) };
  return [{ rule: swapped, place, ...values, severity: 'harmless', what: harmless[swapped] }];
}

/** A document that refers to no other. */
export const alone = (document: unknown): Source => ({ address: 'document:', documents: new Map([['document:', document]]) });

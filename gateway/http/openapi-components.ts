import { STATUS_CODES } from 'node:http';

interface Operation {
  operationId?: string;
  responses?: Record<string, { headers?: object }>;
  parameters?: { in?: string; name?: string }[];
}
type PathItems = Record<string, Record<string, Operation>>;

export interface Document {
  paths?: PathItems;
  webhooks?: PathItems;
  components?: Record<string, Record<string, object>>;
}

interface Use {
  name: string;
  value: object;
  /** Replaces the value at its place. */
  refer(reference: object): void;
}

/**
 * Writes error responses, webhook responses and webhook headers once, under `components`, and refers to them. Most
 * operations have the same ones, so the document and the types made from it are half as long.
 */
export function shareComponents(document: Document): Document {
  const copy = structuredClone(document);
  const operations = [copy.paths ?? {}, copy.webhooks ?? {}].flatMap((items) => Object.values(items).flatMap(Object.values));
  const webhooks = Object.values(copy.webhooks ?? {}).flatMap(Object.values);
  return {
    ...copy,
    components: {
      ...copy.components,
      ...shared('responses', operations.flatMap(responsesOf)),
      ...shared('parameters', webhooks.flatMap(headersOf)),
    },
  };
}

const isShared = (status: string) => status.startsWith('4') || status.startsWith('5') || status === '2XX';

const responsesOf = ({ responses = {} }: Operation): Use[] =>
  Object.entries(responses)
    .filter(([status]) => isShared(status))
    .map(([status, value]) => ({
      name: status === '2XX' ? 'Received' : (STATUS_CODES[status] ?? status).replace(/\W/g, ''),
      value,
      refer: (reference) => Object.assign(responses, { [status]: reference }),
    }));

const headersOf = ({ parameters = [] }: Operation): Use[] =>
  parameters.map((value, at) => ({
    name: value.name ?? '',
    value,
    refer: (reference) => Object.assign(parameters, { [at]: reference }),
  }));

/** The values used more than once, by name. A value that has several names is called `Refused`; the rarer ones get a number. */
function shared(part: string, uses: readonly Use[]): Record<string, Record<string, object>> {
  const found: Record<string, object> = {};
  const values = [...Map.groupBy(uses, ({ value }) => JSON.stringify(value)).values()];
  for (const same of values.toSorted((one, other) => other.length - one.length)) {
    const [first] = same;
    if (!first || same.length === 1) continue;
    const kind = same.every((use) => use.name === first.name) ? first.name : 'Refused';
    const before = Object.keys(found).filter((name) => name.replace(/\d+$/, '') === kind).length;
    const name = before === 0 ? kind : `${kind}${before + 1}`;
    found[name] = first.value;
    for (const { refer } of same) refer({ $ref: `#/components/${part}/${name}` });
  }
  return Object.keys(found).length > 0 ? { [part]: found } : {};
}

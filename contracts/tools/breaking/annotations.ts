import { isRecord } from '../../json.ts';
import { Lines } from '../reports/lines.ts';
import { errorCommand } from '../reports/workflow-command.ts';
import { unescaped } from '../unescaped.ts';
import { pathKey } from './prepare.ts';
import { type Compared, failing } from './report.ts';

/** Returns a workflow command of GitHub Actions for each change that fails the check. `file`: the new document, if it is one. */
export function breakingAnnotations(compared: Compared, file?: { name: string; text: string; document: unknown }): string[] {
  const changes = failing(compared);
  const lines = file && changes.length > 0 ? new Lines(file.text) : undefined;
  return changes.map(({ place, title, message }) =>
    errorCommand(title, message, file && { file: file.name, line: lines?.of(keysOf(place, file.document)) }),
  );
}

type Keys = (string | number)[];

/** A value of the document with the keys that lead to it. */
interface At {
  keys: Keys;
  value: unknown;
}

/**
 * Returns the keys that lead to a place of the report in a document, as far as the place exists. For a removed field, these are
 * the keys of the object that had it.
 */
export function keysOf(place: string, document: unknown): Keys {
  const root = { keys: [], value: document };
  const [start = '', ...parts] = place.split(', ');
  let at = startOf(start, root);
  for (const part of parts) {
    const next = partOf(part, at, root);
    if (next === undefined) break;
    at = next;
  }
  return at.keys;
}

function startOf(start: string, root: At): At {
  const [word = '', name = ''] = /^(\S+) (.*)$/.exec(start)?.slice(1) ?? [start];
  if (word === 'event') return down(root, root, 'webhooks', name, 'post');
  if (word === 'authorization') return down(root, root, 'components', 'securitySchemes', name);
  if (word === 'servers') return down(root, root, 'servers');
  const paths = down(root, root, 'paths');
  const path = Object.keys(isRecord(paths.value) ? paths.value : {}).find((one) => pathKey(one) === pathKey(name));
  return path === undefined ? paths : down(paths, root, path, word.toLowerCase());
}

/** Undefined if the part is not there. */
function partOf(part: string, at: At, root: At): At | undefined {
  const [word = '', name = ''] = part.split(/ (.*)/);
  if (/^[\w*+.-]+\/[\w*+.-]+( |$)/.test(part)) return schemaOf(word, name, at, root);
  if (part.startsWith('$')) return schemaOf(undefined, part, at, root);
  if (word === 'body') return existing(down(at, root, 'requestBody'), at);
  if (word === 'reply' || word === 'answer') return existing(down(at, root, 'responses', name), down(at, root, 'responses'));
  if (word === 'throttle') return existing(down(at, root, 'x-throttle'), at);
  if (word === 'header' && at.keys.includes('responses')) return existing(down(at, root, 'headers', name), at);
  return parameterOf(word, name, at, root);
}

const existing = (found: At, otherwise: At): At => (found.value === undefined ? otherwise : found);

function parameterOf(where: string, name: string, at: At, root: At): At | undefined {
  const list = down(at, root, 'parameters');
  const all: unknown[] = Array.isArray(list.value) ? list.value : [];
  const found = all
    .map((_, index) => down(list, root, index))
    .find(({ value }) => isRecord(value) && value.in === where && value.name === name);
  return found ?? (all.length > 0 ? list : undefined);
}

/** Follows a path such as `$.items[].name` through the schema of a content. */
function schemaOf(type: string | undefined, path: string, at: At, root: At): At {
  // The place of an event does not name its body, so the `requestBody` is tried too.
  const content = existing(down(at, root, 'content'), down(at, root, 'requestBody', 'content'));
  const first = type ?? Object.keys(isRecord(content.value) ? content.value : {})[0] ?? '';
  let schema = existing(down(content, root, first, 'schema'), at);
  for (const [, name, item] of path.matchAll(/\.([^.[]+)|(\[[^\]]*\])/g)) {
    const next = item === undefined ? fieldOf(name ?? '', schema, root) : down(schema, root, 'items');
    if (next.value === undefined) break;
    schema = next;
  }
  return schema;
}

function fieldOf(name: string, schema: At, root: At): At {
  const own = name === '*' ? down(schema, root, 'additionalProperties') : down(schema, root, 'properties', name);
  if (own.value !== undefined || !isRecord(schema.value)) return own;
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((word) => {
    const list = down(schema, root, word);
    return Array.isArray(list.value) ? list.value.map((_, index) => down(list, root, index)) : [];
  });
  return parts.map((part) => fieldOf(name, part, root)).find(({ value }) => value !== undefined) ?? own;
}

/** Goes down these keys. At a reference within the document, it goes on at its target. */
function down(from: At, root: At, ...keys: Keys): At {
  let at = followed(from, root);
  for (const key of keys) {
    const value = isRecord(at.value) || Array.isArray(at.value) ? (at.value as Record<string, unknown>)[key] : undefined;
    at = followed({ keys: [...at.keys, key], value }, root);
  }
  return at;
}

function followed(at: At, root: At, most = 20): At {
  const reference = isRecord(at.value) ? at.value.$ref : undefined;
  if (typeof reference !== 'string' || !reference.startsWith('#/') || most === 0) return at;
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => unescaped(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  const value = keys.reduce<unknown>((parent, key) => (isRecord(parent) ? parent[key] : undefined), root.value);
  return value === undefined ? at : followed({ keys, value }, root, most - 1);
}

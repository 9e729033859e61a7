import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiNames, serviceNames } from '../../contracts/documents/services.ts';
import { jsonSchema, type OpenApi, type Schema } from '../../contracts/openapi/document.ts';
import { openApi } from '../../contracts/openapi/operations.ts';
import { checkDocuments, run } from '../../contracts/tools/breaking/check.ts';
import { type Direction, rules } from '../../contracts/tools/breaking/rules.ts';
import { compareSchemas } from '../../contracts/tools/breaking/schemas.ts';
import { findBreaking, remove } from './document-edits.ts';

const folder = new URL('../../contracts/openapi/', import.meta.url);

test('nothing on this branch breaks a consumer of the last release', async () => {
  const checked = await checkDocuments({ current: folder, released: new URL('released/', folder) });
  expect(checked.map(({ new: name, changes }) => [name, changes])).toEqual(apiNames.map((name) => [name, []]));
});

test('references are compared by their target, and a dangling one is an error', async () => {
  const manage = JSON.parse(readFileSync(new URL('manage.json', folder), 'utf8'));
  const current = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
  const checkedWith = (document: unknown) => {
    cpSync(folder, current, { recursive: true });
    writeFileSync(join(current, 'manage.json'), JSON.stringify(document));
    return run([], { current: pathToFileURL(`${current}/`), released: new URL('released/', folder) });
  };
  const { error } = manage.components.schemas.Refusal.properties;
  delete error.properties.code;
  error.required = error.required.filter((name: string) => name !== 'code');
  expect(await checkedWith(manage)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/reply 400, \$\.error\.code, and \d+ more places/),
  });
  delete manage.components.schemas.Refusal;
  expect(await checkedWith(manage)).toMatchObject({ code: 2, text: expect.stringContaining('#/components/schemas/Refusal') });
  rmSync(current, { recursive: true });
});

/** Every schema of a document, with the direction in which its values go. */
function* schemasIn(document: OpenApi): Generator<{ schema: Schema; direction: Direction; place: string; path: string }> {
  let path = '';
  function* within(
    schema: Schema,
    direction: Direction,
    place: string,
  ): Generator<{ schema: Schema; direction: Direction; place: string; path: string }> {
    yield { schema, direction, place, path };
    for (const child of Object.values(schema.properties ?? {})) yield* within(child, direction, place);
    for (const child of [schema.items, ...(schema.anyOf ?? [])]) if (child) yield* within(child, direction, place);
    if (typeof schema.additionalProperties === 'object') yield* within(schema.additionalProperties, direction, place);
  }
  for (const [of, item] of Object.entries(document.paths)) {
    path = of;
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(item)) {
      const place = `${method.toUpperCase()} ${of}`;
      for (const { schema } of parameters) if (schema) yield* within(schema, 'sent', place);
      if (requestBody) yield* within(jsonSchema(requestBody) as Schema, 'sent', place);
      for (const reply of Object.values(responses))
        if (jsonSchema(reply)) yield* within(jsonSchema(reply) as Schema, 'received', place);
    }
  }
  for (const [type, item] of Object.entries(document.webhooks ?? {})) {
    path = type;
    yield* within(jsonSchema(item.post?.requestBody) as Schema, 'received', `event ${type}`);
  }
}

describe.each(serviceNames)('at every place in %s', (provider) => {
  const before = openApi[provider];
  const after = structuredClone(before);
  const schemas = [...schemasIn(after)];

  /** Leaves out the other paths. They are unchanged, and comparing them thousands of times is slow. */
  const only = (document: OpenApi, path: string): OpenApi => ({
    ...document,
    paths: Object.fromEntries(Object.entries(document.paths).filter(([one]) => one === path)),
    webhooks: Object.fromEntries(Object.entries(document.webhooks ?? {}).filter(([one]) => one === path)),
  });

  /** Applies the edit, returns the places of the breaking changes, and undoes the edit. */
  function places({ schema, path }: { schema: Schema; path: string }, edit: (schema: Schema) => void): string[] {
    // Not a deep copy: the schemas within must stay those that are visited later.
    const { properties, enum: values, ...rest } = schema;
    const kept = { ...rest, ...(properties && { properties: { ...properties } }), ...(values && { enum: [...values] }) };
    edit(schema);
    const found = findBreaking(only(before, path), only(after, path)).map(({ place }) => place);
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, kept);
    return found;
  }

  test('a changed type breaks, and so does a removed field', () => {
    expect(schemas.length).toBeGreaterThan(300);
    for (const one of schemas) {
      const { schema, place } = one;
      if (schema.type !== undefined) {
        const found = places(one, (it) => Object.assign(it, { type: 'other' }));
        expect(found.length, `${place} ${JSON.stringify(schema)}`).toBeGreaterThan(0);
        expect(found.filter((one) => !one.startsWith(place))).toEqual([]);
      }
      const [name] = Object.keys(schema.properties ?? {});
      if (name !== undefined)
        expect(
          places(one, (it) => remove(it, name)).some((found) => found.endsWith(`.${name}`)),
          place,
        ).toBe(true);
    }
  });

  test('a removed value breaks senders, an added value breaks readers, and nothing else does', () => {
    for (const one of schemas.filter(({ schema }) => (schema.enum?.length ?? 0) > 1)) {
      const { direction, place } = one;
      const less = places(one, (it) => it.enum?.pop());
      const more = places(one, (it) => it.enum?.push('more'));
      expect([less.length > 0, more.length > 0], `${place} ${direction}`).toEqual(
        direction === 'sent' ? [true, false] : [false, true],
      );
    }
  });
});

test('integers are numbers, alternatives have no order, dictionaries have values', () => {
  const rulesOf = (from: Schema, to: Schema, direction: Direction) =>
    compareSchemas(from, to, direction, '$').map(({ rule }) => rule);
  const [integer, number, text]: [Schema, Schema, Schema] = [{ type: 'integer' }, { type: 'number' }, { type: 'string' }];
  expect([rulesOf(integer, number, 'sent'), rulesOf(number, integer, 'sent')]).toEqual([[], ['narrowed']]);
  expect([rulesOf(integer, number, 'received'), rulesOf(number, integer, 'received')]).toEqual([['widened'], []]);
  const either = (...values: string[]): Schema => ({ anyOf: values.map((value) => ({ type: 'string', const: value })) });
  expect(rulesOf(either('a', 'b'), either('b', 'a'), 'sent')).toEqual([]);
  expect(rulesOf(either('a', 'b'), either('b'), 'sent')).toEqual(['narrowed']);
  expect(rulesOf(either('a'), either('a', 'b'), 'received')).toEqual(['value-added']);
  const dictionary = (additionalProperties: Schema | boolean): Schema => ({ type: 'object', additionalProperties });
  expect(rulesOf(dictionary(integer), dictionary(text), 'received')).toEqual(['widened']);
  expect(rulesOf(dictionary(integer), dictionary(true), 'received')).toEqual(['widened']);
  expect(rulesOf(dictionary(integer), dictionary(false), 'received')).toEqual(['field-removed']);
  expect(rulesOf(dictionary(true), dictionary(false), 'received')).toEqual([]);
  expect(rulesOf(dictionary(true), dictionary(false), 'sent')).toEqual(['field-removed']);
  expect(rulesOf(dictionary(false), dictionary(integer), 'sent')).toEqual([]);
});

test('a discriminated union is compared member by member', () => {
  const kind = (name: string): Schema => ({
    type: 'object',
    required: ['kind'],
    additionalProperties: false,
    properties: { kind: { type: 'string', const: name } },
  });
  const [one, both]: [Schema, Schema] = [{ oneOf: [kind('email')] }, { oneOf: [kind('email'), kind('slack')] }];
  expect(compareSchemas(one, both, 'sent', 'here')).toEqual([]);
  expect(compareSchemas(both, one, 'sent', 'here')).not.toEqual([]);
  expect(compareSchemas(both, one, 'received', 'here')).toEqual([]);
  expect(compareSchemas(one, both, 'received', 'here')).not.toEqual([]);
});

test('a keyword without a rule is silent until it changes', () => {
  const rulesOf = (from: Schema, to: Schema) => compareSchemas(from, to, 'sent', 'here').map(({ rule }) => rule);
  expect(rulesOf({ not: { type: 'string' } }, { not: { type: 'string' } })).toEqual([]);
  expect(rulesOf({}, { not: { type: 'string' } })).toEqual(['not-judged']);
  expect(rulesOf({ if: { a: 1 } }, { if: { a: 2 } })).toEqual(['not-judged']);
});

describe('the program', () => {
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'passerelle-breaking-'));
    cpSync(folder, place, { recursive: true });
  });
  afterAll(() => rmSync(place, { recursive: true }));
  const folders = () => ({ current: pathToFileURL(`${place}/`), released: pathToFileURL(`${place}/released/`) });
  const file = () => join(place, 'pos.json');
  const edit = (change: (document: OpenApi) => void) => {
    const document = JSON.parse(readFileSync(file(), 'utf8'));
    change(document);
    writeFileSync(file(), JSON.stringify(document));
  };

  test('exits with 0, with 1 and a report, with 0 after a release, and with 2 if it cannot compare', async () => {
    expect(await run([], folders())).toEqual({
      code: 0,
      text: 'Nothing in pos, cohesion, manage, profile breaks a consumer of the last release.\n',
    });
    edit((document) => delete document.webhooks?.['inventory.low']);
    const { code, text } = await run([], folders());
    expect(code).toBe(1);
    expect(text).toContain(
      'breaking\n  ✗ event inventory.low\n      The event was removed. Receivers wait for it in vain. (event-removed)\n      before      "inventory.low"\n',
    );
    expect((await run(['--release'], folders())).code).toBe(0);
    expect((await run([], folders())).code).toBe(0);
    writeFileSync(file(), '{');
    expect(await run([], folders())).toEqual({ code: 2, text: expect.stringMatching(/^Could not compare: /) });
    expect((await run(['--no-such-flag'], folders())).code).toBe(2);
  });

  test('runs as a program', () => {
    const program = new URL('../../contracts/tools/breaking/check.ts', import.meta.url).pathname;
    expect(execFileSync('node', [program], { encoding: 'utf8' })).toMatch(/^Nothing in pos, cohesion, manage, profile breaks/);
  });
});

test('every rule has a change and a consequence', () => {
  for (const { what, why } of Object.values(rules)) expect(`${what} ${why}`).toMatch(/^[A-Z].*\. .*\.$/);
});

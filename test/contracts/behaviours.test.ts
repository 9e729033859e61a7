import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { behaviours, linesQuoted, linesWithoutBehaviour } from '../../spec/documents/behaviours.ts';
import { documented } from '../../spec/documents/documented.ts';
import { holdingTests } from '../../spec/documents/held-by-tests.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { eventsOf, operationsOf } from '../../spec/openapi/operations.ts';

describe.each(serviceNames)('the behaviours of %s', (provider) => {
  const all = behaviours[provider];

  test('each quotes one line of its section', () => {
    const wrong = all.map((one) => ({ id: one.id, lines: linesQuoted(one).map(({ says }) => says) }));
    expect(wrong.filter(({ lines }) => lines.length !== 1)).toEqual([]);
  });

  test('every line of the document is quoted, or not shown, or needs no behaviour', () => {
    const quoted = new Set(all.flatMap(linesQuoted));
    const listed = Object.keys(linesWithoutBehaviour[provider]);
    const beginnings = documented[provider].flatMap(({ says }) => listed.filter((one) => `${says} |`.startsWith(one)));
    expect(beginnings.toSorted()).toEqual(listed.toSorted());
    const open = documented[provider].filter((line) => !quoted.has(line) && !/not shown/i.test(line.says));
    expect(open.filter(({ says }) => !listed.some((one) => `${says} |`.startsWith(one)))).toEqual([]);
  });

  test('each names operations and events that exist', () => {
    const known = [...operationsOf(provider).map(({ method, path }) => `${method} ${path}`), ...Object.keys(eventsOf(provider))];
    const unknown = all.flatMap(({ id, on }) => on.filter((one) => !known.includes(one)).map((one) => `${id}: ${one}`));
    expect(unknown).toEqual([]);
    expect(all.filter(({ on }) => on.length === 0)).toEqual([]);
  });

  test('each has an id of its own', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id) => !new RegExp(`^${provider}/[a-z0-9]+(-[a-z0-9]+)*$`).test(id))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });
});

test('the tests that hold behaviours exist, and none is skipped', () => {
  const ids = serviceNames.flatMap((provider) => behaviours[provider].map(({ id }) => id));
  for (const { behaviour, file, test: name } of holdingTests) {
    expect(ids).toContain(behaviour);
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(text, `${file} has a test named ${name}`).toContain(name);
    expect(text, file).not.toMatch(/\.(skip|todo|only)\(/);
  }
});

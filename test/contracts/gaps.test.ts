import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documented } from '../../spec/documents/documented.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { type Gap, gaps } from '../../spec/gaps/gaps.ts';
import { everyAlternative } from '../alternative-sets.ts';
import { namedGaps } from './named-gaps.ts';

const root = new URL('../../', import.meta.url);
describe.each(serviceNames)('the register of %s', (api) => {
  const entries = gaps.filter((gap) => gap.api === api);
  const lines = documented[api].filter(({ says }) => /not shown/i.test(says));
  const answered = ({ section, quote }: Gap) =>
    lines.filter((line) => line.section === section && quote !== '' && line.says.includes(quote));

  test.each(lines)('answers $says', (line) => {
    expect(entries.filter((gap) => answered(gap).includes(line))).not.toEqual([]);
  });

  test('quotes what one line of its section says', () => {
    const wrong = entries.filter((gap) => gap.quote !== '' && answered(gap).length !== 1);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('names sections that the document has, and nothing that is done elsewhere', () => {
    const sections = documented[api].map(({ section }) => section);
    expect(entries.filter(({ section }) => !sections.includes(section)).map(({ id }) => id)).toEqual([]);
    for (const ids of namedGaps(api).values()) expect(elsewhere.filter((id) => ids.has(id))).toEqual([]);
  });
});

/** What operators and partners do in other places than these APIs. The documents of the manage API and of the profile name some. */
const elsewhere = [
  ...['pos.back-office', 'cohesion.back-office', 'cohesion.token-creation', 'cohesion.validation-source'],
  'cohesion.intervention-transitions',
];

/** Entries of other sections that only events show. */
const aboutEvents = ['cohesion.user-perimeter', 'cohesion.validated-by'];

describe.each(serviceNames)('the OpenAPI document of %s', (api) => {
  const named = namedGaps(api);
  const isEvent = (name: string) => !name.includes(' ');
  const namedBy = (id: string) => [...named].filter(([, ids]) => ids.has(id)).map(([name]) => name);
  const own = gaps.filter((gap) => gap.api === api && !elsewhere.includes(gap.id));

  test('names each entry about calls at an operation, and each about webhooks at an event', () => {
    const isAboutEvents = ({ id, section }: Gap) => section.startsWith('6.') || aboutEvents.includes(id);
    const missing = own.filter((gap) => !namedBy(gap.id).some((name) => isEvent(name) === isAboutEvents(gap)));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('names what concerns every call at every operation, and the token at those that need one', () => {
    const withToken = (name: string) => !isEvent(name) && name !== 'POST /auth';
    const every = 'plain-http versioning unknown-method check-order reply-charset cache-control www-authenticate';
    const operations = [...named.keys()].filter((name) => !isEvent(name));
    for (const id of every.split(' ')) expect(namedBy(`${api}.${id}`)).toEqual(expect.arrayContaining(operations));
    expect(namedBy(`${api}.token-format`)).toEqual(expect.arrayContaining(operations.filter(withToken)));
  });
});

/** Entries whose alternatives change more than the operation that they are about. */
const effects: Readonly<Record<string, readonly string[]>> = {
  'pos.stock-at-creation': ['POST /sales', 'POST /payment/mobile', 'GET /inventory', 'inventory.low'],
  'pos.insufficient-stock': ['POST /sales', 'GET /inventory', 'inventory.low'],
  'pos.sale-states': ['POST /sales', 'POST /payment/mobile', 'GET /inventory', 'GET /reports/sales', 'sale.completed'],
  'pos.token-lifetime': ['POST /auth', 'POST /sales', 'GET /inventory'],
  'cohesion.perimeter': ['GET /interventions', 'GET /structures', 'GET /stats', 'POST /financements', 'PUT /financements/{id}'],
  'cohesion.unknown-structure': ['POST /financements', 'PUT /financements/{id}'],
  'cohesion.hidden-records': ['GET /indicateurs/{id}', 'GET /interventions', 'POST /financements'],
  'cohesion.financing-bounds': ['POST /financements', 'PUT /financements/{id}'],
  'cohesion.financing-statuses': ['POST /financements', 'PUT /financements/{id}', 'GET /stats'],
  'cohesion.structure-types': ['GET /structures', 'GET /stats'],
  'cohesion.user-roles': ['GET /me', 'GET /indicateurs', 'POST /financements'],
};

test.each(Object.entries(effects))('%s is named wherever it shows', (id, expected) => {
  const [api] = id.split('.');
  const named = [...namedGaps(api as (typeof serviceNames)[number])].filter(([, ids]) => ids.has(id)).map(([name]) => name);
  expect(named).toEqual(expect.arrayContaining([...expected]));
});

test('each entry is complete; its id, and those of its alternatives, are short words with hyphens, and unique', () => {
  expect(new Set(gaps.map(({ id }) => id)).size).toBe(gaps.length);
  for (const gap of gaps) {
    expect(gap.id, gap.id).toMatch(new RegExp(`^${gap.api}\\.[a-z]+(-[a-z]+)*$`));
    expect(gap.question, gap.id).toMatch(/\?$/);
    for (const text of [gap.choice, gap.why, ...gap.alternatives.map(({ text }) => text)])
      expect(text.trim(), gap.id).not.toBe('');
    expect(gap.alternatives.length, gap.id).toBeGreaterThan(0);
    const own = gap.alternatives.map(({ id }) => id);
    for (const id of own) expect(id, `${gap.id}=${id}`).toMatch(/^(?=.{1,24}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(new Set(own).size, gap.id).toBe(own.length);
  }
});

test('each alternative says who settles it: other names are for the owner, and other statuses for the client', () => {
  const settledBy = (who: string) => everyAlternative.filter((one) => one.settledBy === who);
  expect(settledBy('client').filter(({ id }) => id === 'other-names')).toEqual([]);
  expect(settledBy('owner').filter(({ id }) => /^\d{3}\b/.test(id))).toEqual([]);
  // Every client meets these. Were they a matter of the client, every probe would be red.
  expect(settledBy('owner').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['pos.token-transport=own-header', 'pos.expires-in-unit=minutes', 'pos.currency=smallest-unit']),
  );
});

/** Ids as code names them: `gap pos.a` or `gaps pos.a, pos.b and pos.c` in a comment, or a whole string such as 'pos.a'. */
function idsNamedIn(source: string): string[] {
  const id = '(?:pos|cohesion)\\.(?!json\\b)[a-z][a-z-]*';
  const inComments = source.matchAll(new RegExp(`\\bgaps? (${id}(?:(?:,| and|, and) ${id})*)`, 'g'));
  const inStrings = source.matchAll(new RegExp(`(['"\`])(${id})\\1`, 'g'));
  return [
    ...[...inComments].flatMap(([, named = '']) => named.split(/, and |, | and /)),
    ...[...inStrings].map(([, , named = '']) => named),
  ];
}

test('every id that the code names exists', () => {
  const known = new Set(gaps.map(({ id }) => id));
  const files = globSync('{gateway,contracts,fixtures,stubs}/**/*.{ts,js,json}', { cwd: root.pathname });
  const named = files.flatMap((file) => idsNamedIn(readFileSync(new URL(file, root), 'utf8')).map((id) => ({ file, id })));
  expect(named.length).toBeGreaterThanOrEqual(known.size);
  expect(named.filter(({ id }) => !known.has(id))).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cohesionEvents } from '../../../gateway/api/cohesion/events.ts';
import { posEvents } from '../../../gateway/api/pos/events.ts';
import * as en from '../../../gateway/console/profile/texts/en/index.ts';
import * as fr from '../../../gateway/console/profile/texts/fr/index.ts';
import { reasons } from '../../../gateway/webhooks/model/reasons.ts';

/** Words that French has too, or that people use in both languages, without numbers and capitals. */
const sameInFrench = [
  ...['code', 'description', 'documentation', 'message', 'messages', 'secret', 'service', 'structure', 'structures'],
  ...['test', 'total', 'api', 'dns', 'endpoint', 'endpoints', 'tls', 'webhooks'],
];

const wordsOf = (text: string) => text.replaceAll(/\d+/g, '').trim().toLowerCase();

type Text = readonly [path: string, text: unknown];

/** Every text of a catalogue with its path. An element is one text. */
function textsOf(value: unknown, path = ''): Text[] {
  if (typeof value !== 'object' || value === null || 'props' in value) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, path === '' ? key : `${path}.${key}`));
}

/** The maps that are empty in English, because the server itself writes those texts. */
function mapsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || 'props' in value) return [];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${path}.`];
  return entries.flatMap(([key, inner]) => mapsOf(inner, path === '' ? key : `${path}.${key}`));
}

/**
 * A parameter that can stand for each type: it is the number `value` as a number, a text or a node, its properties are
 * other parameters, and it can be called as a function from a label to a node.
 */
function parameter(name: string, number: (name: string) => number): object {
  const primitive = () => number(name);
  return new Proxy(() => {}, {
    get: (_, key) => {
      if (key === Symbol.toPrimitive || key === 'valueOf') return primitive;
      if (key === 'toString') return () => String(primitive());
      return typeof key === 'symbol' ? undefined : parameter(`${name}.${key}`, number);
    },
    apply: (_, __, given) => [primitive(), ...given],
  });
}

/** What a person reads of a text or a node. */
function shown(node: unknown): string {
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (Array.isArray(node)) return node.map(shown).join('');
  if (typeof node === 'object' && 'props' in node) return shown((node.props as { children?: unknown }).children);
  return String(node);
}

/** Calls a text's function. A plain text is returned as it is. */
function filled(text: unknown, number: (name: string) => number): string {
  return shown(typeof text === 'function' ? called(text, number) : text);
}

// biome-ignore lint/complexity/noBannedTypes: a function of any parameters.
const called = (text: Function, number: (name: string) => number): unknown =>
  text(...Array.from({ length: text.length }, (_, index) => parameter(String(index), number)));

/** Different numbers of three digits, so that no language puts a separator into them. */
const numbers = new Map<string, number>();
function marked(name: string): number {
  const known = numbers.get(name) ?? 900 - numbers.size;
  numbers.set(name, known);
  return known;
}

const marks = (text: string) => [...new Set(text.match(/\b[5-9]\d\d\b/g))].sort();

const ofServer = mapsOf(en);
const french = textsOf(fr);
const frenchOf = new Map(french);
/** An English function that returns nothing stands for a text that the server writes. */
const english = textsOf(en);
const pairs = english
  .filter(([, text]) => typeof text !== 'function' || called(text, marked) !== undefined)
  .map(([path, text]) => ({ path, english: text, french: frenchOf.get(path) }));

describe('the catalogues', () => {
  test('both languages have the same keys, and functions of the same parameters', () => {
    const shape = (texts: readonly Text[]) =>
      texts.map(([path, text]) => `${path} ${typeof text === 'function' ? `(${text.length})` : typeof text}`).sort();
    const shared = french.filter(([path]) => !ofServer.some((map) => path.startsWith(map)));
    expect(shape(shared)).toEqual(shape(english));
  });

  test('a text has the same values in both languages', () => {
    for (const { path, english, french } of pairs) {
      if (typeof english !== 'function') continue;
      expect([path, marks(filled(french, marked))]).toEqual([path, marks(filled(english, marked))]);
    }
  });

  test('no text is empty, and no value is missing from one', () => {
    for (const { path, ...texts } of pairs)
      for (const text of Object.values(texts))
        for (const value of [0, 1, 701]) expect([path, filled(text, () => value)]).toEqual([path, expect.stringMatching(/\S/)]);
  });

  test('no French text is the English one, except for words that both languages have', () => {
    const same = pairs
      .map(({ path, english, french }) => ({ path, english: filled(english, marked), french: filled(french, marked) }))
      .filter(
        ({ english, french }) => english === french && /\p{L}{2}/u.test(english) && !sameInFrench.includes(wordsOf(english)),
      );
    expect(same).toEqual([]);
  });

  test('every exception is still needed', () => {
    const texts = new Set(pairs.map(({ french }) => wordsOf(filled(french, marked))));
    expect(sameInFrench.filter((text) => !texts.has(text))).toEqual([]);
  });

  test('French has a no-break space before : ; ! ? and inside guillemets, and no curly apostrophe', () => {
    const wrong = french.flatMap(([path, text]) =>
      [0, 1, 701]
        .map((value) => ({ path, text: filled(text, () => value) }))
        .filter(({ text }) => typography.test(text.replace(headerName, ''))),
    );
    expect(wrong).toEqual([]);
  });
});

/** A header is written as it is sent. */
const headerName = /\b[A-Z][a-z]+(-[A-Z][a-z]+)+: /;
const typography = /[^\u00a0\s!?:;.([/][:;!?](\s|$)|[ \t\u202f][:;!?]|«[^\u00a0]|[^\u00a0]»|’/;

describe("the server's texts in French", () => {
  test('every reason has one, with advice if the English has it', () => {
    const codes = (texts: Readonly<Record<string, { advice: string | null }>>) =>
      Object.entries(texts).map(([code, { advice }]) => [code, advice !== null]);
    const inEnglish = Object.fromEntries(reasons.map(({ reason, ...texts }) => [reason, texts]));
    expect(codes(fr.server.reasons).sort()).toEqual(codes(inEnglish).sort());
  });

  test('every type of event has one', () => {
    const types = [...posEvents, ...cohesionEvents].map(({ type }) => type);
    expect(Object.keys(fr.server.events).sort()).toEqual(types.sort());
  });
});

describe('the profile in a browser that prefers French', () => {
  const load = () =>
    Promise.all([
      import('../../../gateway/console/page/lib/format.ts'),
      import('../../../gateway/console/page/lib/time.ts'),
      import('../../../gateway/console/page/lib/language.ts'),
      import('../../../gateway/console/profile/texts/index.ts'),
    ]);

  /** Loads the modules again, as a page does in a browser with these languages and this stored choice. */
  async function browser(languages: readonly string[], stored: string | null = null) {
    vi.resetModules();
    vi.stubGlobal('navigator', { languages });
    vi.stubGlobal('localStorage', { getItem: () => stored });
    vi.stubGlobal('document', { documentElement: { dataset: { languages: 'en fr' } } });
    const [format, time, language, texts] = await load();
    await texts.loadTexts();
    return { ...format, ...time, ...language, text: texts.text };
  }

  let page: Awaited<ReturnType<typeof browser>>;
  beforeAll(async () => {
    page = await browser(['fr-FR', 'en']);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test('the texts are French, and 0 is singular', () => {
    expect([page.language, page.locale, page.text.parts.close]).toEqual(['fr', 'fr-FR', 'Fermer']);
    expect([0, 1, 2].map((amount) => page.text.parts.lists.calls.count(amount))).toEqual(['0 appel', '1 appel', '2 appels']);
  });

  test('numbers, percentages, durations and times are written as in French', () => {
    expect(page.count(12_345)).toMatch(/^12\s345$/);
    expect(page.percent(0.9876)).toBe('98,8\u00a0%');
    expect([page.duration(1249), page.duration(180_000_000)]).toEqual(['1,2 s', '2 j 2 h']);
    expect(page.shortTime('2025-03-04T05:06:07.089Z', 'utc')).toBe('4 mars 2025, 05:06:07 UTC');
    expect(page.relativeTime('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:03:00Z'))).toMatch(/^il y a 3\smin$/);
  });

  test.each([
    [['de', 'fr-CA', 'en'], null, 'fr', 'fr-CA'],
    [['de'], null, 'en', 'en'],
    [[], null, 'en', 'en'],
    [['en-GB', 'fr'], null, 'en', 'en-GB'],
    [['fr'], 'en', 'en', 'en'],
    [['en-GB'], 'fr', 'fr', 'fr'],
    [['fr'], 'constructor', 'fr', 'fr'],
  ])(
    'with the languages %j and the choice %j the profile is in %s, in the form of %s',
    async (languages, stored, ...expected) => {
      const { language, locale } = await browser(languages, stored);
      expect([language, locale]).toEqual(expected);
    },
  );
});

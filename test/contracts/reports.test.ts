import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inline } from '../../contracts/tools/reports/markdown.ts';
import { plain, shorten, wrap } from '../../contracts/tools/reports/plain.ts';
import { annotations } from '../../contracts/tools/verification/reports/annotations.ts';
import type { InteractionResult } from '../../contracts/tools/verification/result.ts';
import { forAll } from '../for-all.ts';
import { fileWith } from '../program.ts';
import {
  attacks,
  hostile,
  interaction,
  jsonReport,
  junitReport,
  markdownReport,
  price,
  textReport,
  verification,
} from './verifications.ts';

const options = { width: 80, colors: false };
const failed = interaction({ outcome: 'failed', problems: [price], states: [{ name: 'a store', params: { store_id: 'S1' } }] });
const pending = interaction({
  consumer: 'kiosk',
  description: 'pays',
  outcome: 'pending',
  problems: [{ kind: 'status', message: 'Not 201.' }],
});
const three = verification([interaction(), failed, pending], { notices: ['Why: the pact is the latest.'] });
const failing = (changes: Partial<InteractionResult>) => verification([interaction({ outcome: 'failed', ...changes })]);
/** Any text that JavaScript can hold, lone surrogates and control characters included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...attacks),
);
const acted = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

describe('in a workflow of GitHub', () => {
  test('each failed interaction is an annotation of its file', () => {
    expect(annotations({ ...three, unfinished: ['50 % is\nmissing.'] })).toEqual([
      '::error file=pacts/till-pos.json,title=till – pos%3A reads the inventory::Given a store (store_id "S1").%0Abody $.data.items[0].price: Expected a string, the provider sent a number.',
      '::error title=pos::50 %25 is%0Amissing.',
    ]);
  });

  test('it is shown at its line of the pact, if there is a file', async () => {
    const one = (state: string) => ({ description: 'reads the inventory', providerStates: [{ name: state }] });
    const text = JSON.stringify({ interactions: [one('a store'), one('no store')] }, null, 2);
    const source = await fileWith(text, 'pact.json');
    const of = (changes: Partial<InteractionResult>) => annotations(failing({ problems: [price], ...changes })).join();
    const lines = text.split('\n').flatMap((line, at) => (line.includes('reads the inventory') ? at + 1 : []));
    for (const [at, name] of ['a store', 'no store'].entries())
      expect(of({ source, states: [{ name, params: {} }] })).toContain(`pact.json,line=${lines[at]},`);
    expect(of({ source: '/nowhere.json' })).not.toContain('line=');
    expect(of({ source: 'https://broker.example/pact' })).not.toContain('file=');
  });

  test('no text of a pact ends a command or begins another', () => {
    const one = /^::error (?:[a-z]+=[^:,\r\n]*,?)*::[^\r\n]*$/;
    fc.assert(fc.property(anyText, (text) => annotations(hostile(text)).every((line) => one.test(line))));
  });
});

describe('in a terminal', () => {
  test('shows one line per interaction by consumer, and the details of failures', () => {
    expect(textReport(three, options).split('\n')).toEqual([
      'Verification of pos at the reference implementation',
      '',
      'till with pos  pacts/till-pos.json',
      '  ✓ reads the inventory     35 ms',
      '  ✗ reads the inventory     35 ms  given a store (store_id "S1")',
      '    body $.data.items[0].price',
      '      Expected a string, the provider sent a number.',
      '      expected                            │ actual',
      '      ────────────────────────────────────┼────────────────────────────────────',
      '      "4500"                              │ 4500',
      '      document    spec/point-of-sale.md, 4. Endpoints: GET | /inventory | Body:',
      '                  not shown.',
      '      gap         pos.inventory-response: What does GET /inventory answer?',
      '                  Chosen: data: store_id and items.',
      '',
      'kiosk with pos  pacts/till-pos.json',
      '  ~ pays     35 ms',
      '    status',
      '      Not 201.',
      '',
      'Why: the pact is the latest.',
      '3 interactions in 1.2 s: 1 verified, 1 failed, 1 pending',
      'Next: A named gap means that the document leaves the question open: change the',
      'pact to our choice, or ask the provider to confirm another.',
      '',
    ]);
    expect(textReport(three, { width: 80, colors: true })).toContain('\u001b[31m');
  });

  test('foreign text cannot control the terminal', () => {
    fc.assert(fc.property(anyText, (text) => !acted.test(textReport(hostile(text), options))));
  });

  test('long bodies are cut and marked, and no line of the comparison is wider than the terminal', () => {
    const long = { ...price, expected: JSON.stringify(Array.from({ length: 5000 }, (_, at) => at)) };
    const report = textReport(failing({ problems: [long] }), options);
    expect(report.split('\n').length).toBeLessThan(40);
    expect(report).toContain('more lines)');
    expect(textReport(failing({ problems: Array.from({ length: 25 }, () => price) }), options)).toContain('5 more problems');
    forAll(100, [fc.string({ unit: 'grapheme-ascii', maxLength: 300 }), fc.integer({ min: 40, max: 200 })], (text, width) => {
      const shown = textReport(failing({ problems: [{ ...price, expected: text, actual: text }] }), { width, colors: false });
      return shown.split('\n').every((line) => !line.includes('│') || [...line].length <= width);
    });
  });

  test.each([
    ['No interaction was found', verification([])],
    ['A state could not be set up', failing({ problems: [{ kind: 'state', message: '' }] })],
    ['The quoted document decides', failing({ problems: [{ kind: 'status', message: '' }] })],
    [
      'Nothing failed. What is pending does not count: its pact marks it as\npending, or the API documents do not require it.',
      verification([
        { ...pending, pendingBecause: 'pact' },
        { ...pending, pendingBecause: 'documents' },
      ]),
    ],
    ['The provider satisfies these pacts', verification([interaction()])],
  ])('the next step: %s', (says, found) => {
    expect(textReport(found, options)).toContain(`Next: ${says}`);
  });
});

describe('as JUnit', () => {
  test('has a suite per consumer and a case per interaction', () => {
    const report = junitReport([three]);
    for (const part of [
      '<testsuites name="passerelle verify" tests="3" failures="1" errors="0" skipped="1" time="1.234">',
      '<testsuite name="till with pos" tests="2" failures="1" errors="0" skipped="0" time="0.070" timestamp="2026-11-21T08:53:00">',
      '<testcase name="reads the inventory" classname="till" time="0.035" file="pacts/till-pos.json"/>',
      '<testcase name="reads the inventory (given a store (store_id &quot;S1&quot;))"',
      '<failure message="body $.data.items[0].price: Expected a string, the provider sent a number." type="body">',
      'gap:         pos.inventory-response: What does GET /inventory answer?',
      '<skipped message="pending: status: Not 201."/><system-out>',
    ])
      expect(report).toContain(part);
  });

  test('a strict parser reads the report of any pact', () => {
    const { SaxesParser } = createRequire(import.meta.url)('saxes');
    const parse = (xml: string) => {
      const parser = new SaxesParser();
      parser.on('error', (error: Error) => {
        throw error;
      });
      parser.write(xml).close();
    };
    fc.assert(fc.property(anyText, (text) => parse(junitReport([hostile(text)]))));
    expect(() => parse('<a>\u0001</a>')).toThrow();
  });
});

test('what could not be done is in every report, and is an error in JUnit, not a failure', () => {
  const lost = interaction({ outcome: 'failed', couldNotRun: true, problems: [{ kind: 'provider', message: 'No answer.' }] });
  const partial = verification([interaction(), failed, lost], { unfinished: ['b.json has no interaction.'] });
  expect(textReport(partial, { ...options, width: 200 })).toContain(
    'Not done: b.json has no interaction.\n3 interactions in 1.2 s: 1 verified, 2 failed, 0 pending; 1 not done\nNext: Not everything could be done',
  );
  expect(markdownReport(partial)).toContain('- Not done: b&#46;json has no interaction&#46;');
  const junit = junitReport([partial]);
  expect(junit).toContain('<testsuites name="passerelle verify" tests="4" failures="1" errors="2" skipped="0"');
  expect(junit).toContain('<error message="provider: No answer." type="provider">');
  expect(junit).toContain('<error message="b.json has no interaction." type="not done"/>');
});

describe('as Markdown', () => {
  test('a table for each consumer, with the failures below it', () => {
    const report = markdownReport(three);
    for (const part of [
      '### till with pos\n\n| | | | time |',
      '| ✗ | <code>reads the inventory</code> | failed · <code>given a store &#40;store&#95;id &#34;S1&#34;&#41;</code> | 35 ms |',
      '<details><summary>✗ <code>reads the inventory</code></summary>',
      'expected    "4500"\nactual      4500',
    ])
      expect(report).toContain(part);
  });

  test('for any pact, rows have four cells, blocks are closed, and foreign text has no meaning', () => {
    forAll(100, [anyText], (text) => {
      expect(inline(text)).toMatch(/^(?:[\p{L}\p{M}\p{N}\p{Zs},;?%=…✓✗-]|&#\d+;)*$/u);
      const report = markdownReport(hostile(text));
      const rows = report.split('\n').filter((line) => /^\| [✓✗~]/.test(line));
      expect(rows.map((line) => line.split('|').length)).toEqual([6, 6, 6]);
      const tags = ['details', 'summary', 'pre', 'code'];
      for (const tag of tags) expect(report.split(`<${tag}>`).length).toBe(report.split(`</${tag}>`).length);
      const used = [...report.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag ?? '');
      expect(used.filter((tag) => !tags.includes(tag))).toEqual([]);
      expect(report).not.toMatch(acted);
    });
  });

  test('it stays below the size limit of GitHub', () => {
    const problems = Array.from({ length: 20 }, () => ({ ...price, expected: 'é'.repeat(5000) }));
    const big = interaction({ outcome: 'failed', problems });
    const report = markdownReport(verification(Array.from({ length: 200 }, () => big)));
    expect(Buffer.byteLength(report)).toBeLessThan(1_000_000);
    expect(report).toMatch(/\d+ more parts omitted/);
  });
});

test('JSON has the same content, and cannot control a terminal', () => {
  forAll(100, [anyText], (text) => {
    const report = jsonReport([hostile(text)]);
    expect(JSON.parse(report)).toEqual({ verifications: [hostile(text)] });
    expect(report).not.toMatch(acted);
  });
});

test('any text is escaped, shortened and wrapped without loss', () => {
  expect(plain('a\u001b[31mb\tc')).toBe('a\\u{1b}[31mb  c');
  expect(shorten('abcdef', 4)).toBe('abcd… (2 more characters)');
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('x'.repeat(5), 2)).toEqual(['xx', 'xx', 'x']);
});

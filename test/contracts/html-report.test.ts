import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlOf } from '../../contracts/tools/verification/reports/curl.ts';
import { forAll } from '../for-all.ts';
import { attacks, hostile, interaction, price, verification } from './verifications.ts';
import { htmlReport } from './verify-reports.ts';

const request = {
  method: 'POST',
  path: '/api/v1/sales',
  query: 'a=1&b=2',
  headers: { authorization: 'Bearer [redacted]', 'accept-encoding': 'gzip', 'content-type': 'application/json' },
  body: '{"note":"it\'s"}',
};
const failed = interaction({
  description: 'sells',
  outcome: 'failed',
  problems: [price],
  exchange: { request, reply: { status: 201, headers: { 'x-a': 'b' }, body: '{"price":4500}' } },
});
const pending = interaction({ description: 'pays', outcome: 'pending', problems: [{ kind: 'status', message: 'Not 201.' }] });

/** The text as a reader sees it, one line per element. */
const seen = (html: string) =>
  (html.split('<body>')[1] ?? '')
    .replaceAll(/<\/?(bdi|mark|span|code|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

test('what failed comes first, whatever its provider, with both values, the document, the gap and the exchange', () => {
  const text = seen(htmlReport([verification([interaction()], { provider: 'cohesion' }), verification([pending, failed])]));
  const parts = [
    '✗ 1 failed',
    '2 interactions in 1.2 s',
    'Next: A named gap',
    'Failed (1)',
    '✗ failed sells',
    'till with pos · pacts/till-pos.json · 35 ms',
    'body $.data.items[0].price',
    'Expected a string, the provider sent a number.',
    'expected',
    '"4500"',
    'actual',
    '4500',
    'spec/point-of-sale.md, 4. Endpoints: GET | /inventory | Body: not shown.',
    'pos.inventory-response: What does GET /inventory answer? Chosen: data: store_id and items.',
    `curl -i -X POST "$BASE_URL"'/api/v1/sales?a=1&b=2' \\`,
    "  -H 'authorization: Bearer [redacted]' \\",
    "  -H 'content-type: application/json' \\",
    `  --data-raw '{"note":"it'\\''s"}'`,
    'HTTP 201',
    'x-a: b',
    '"price": 4500',
    'Pending (1)',
    '~ pending pays',
    'Verified (1)',
    '✓ verified reads the inventory',
  ];
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at, `${part} after ${text.slice(Math.max(0, from - 100), from)}`).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
  expect(text).not.toContain('accept-encoding');
});

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...attacks));
const acted = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const ourTag = /^<(\/?[a-z0-9]+|!doctype html)( [a-z-]+(="[^"<>]*")?)*>$/;
const tags = (html: string) => html.match(/<[^>]*>?/g) ?? [];

test('foreign text adds no tag, no attribute and no character that acts', () => {
  const names = (html: string) => tags(html).map((tag) => tag.replaceAll(/="[^"]*"/g, ''));
  const usual = names(htmlReport([hostile('text')]));
  forAll(100, [anyText], (text) => {
    const html = htmlReport([hostile(text)]);
    expect(tags(html).filter((tag) => !ourTag.test(tag))).toEqual([]);
    expect(names(html)).toEqual(usual);
    expect(acted.test(html)).toBe(false);
  });
});

test('the policy allows the page its own style and nothing else', () => {
  const html = htmlReport([hostile('x')]);
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
  expect(html).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(html).not.toMatch(/<script|<link|<img|<iframe| style=| on[a-z]+=|url\(|@import|javascript:/);
});

test.each([
  ['12', '13', '1<mark>2</mark>', '1<mark>3</mark>'],
  ['aXb', 'ab', 'a<mark>X</mark>b', 'a<mark></mark>b'],
  ['a', 'a', 'a<mark></mark>', 'a<mark></mark>'],
  ['\u{1f600}', '\u{1f601}', '<mark>\u{1f600}</mark>', '<mark>\u{1f601}</mark>'],
  ['\u{1f600}', '\u{1fa00}', '<mark>\u{1f600}</mark>', '<mark>\u{1fa00}</mark>'],
])('what differs between %s and %s is marked', (expected, actual, left, right) => {
  const html = htmlReport([
    verification([interaction({ outcome: 'failed', problems: [{ kind: 'body', message: '', expected, actual }] })]),
  ]);
  expect(html).toContain(`<pre>${left}</pre>`);
  expect(html).toContain(`<pre>${right}</pre>`);
});

test('a page with 5,000 interactions stays small enough to open: it has every row, and says whose details are missing', () => {
  const long = { ...price, expected: 'x'.repeat(6000), actual: 'y'.repeat(6000) };
  const all = Array.from({ length: 5000 }, (_, at) =>
    interaction({ outcome: 'failed', description: `number ${at}.`, problems: [long] }),
  );
  const html = htmlReport([verification(all)]);
  expect(html.length).toBeLessThan(25_000_000);
  expect(html.match(/number \d+\./g)).toHaveLength(5000);
  expect(html).toMatch(/\d+ findings without details, because the page would be too large/);
  expect(html.match(/<details open>/g)).toHaveLength(20);
});

test('an interaction that could not be verified is no mismatch, and what was not done is listed', () => {
  const one = interaction({ outcome: 'failed', couldNotRun: true, problems: [{ kind: 'provider', message: 'Nobody answers.' }] });
  const text = seen(htmlReport([verification([one], { unfinished: ['A teardown failed.'], notices: ['A note.'] })]));
  expect(text).toContain('✗ not verified reads the inventory');
  expect(text).toContain('Not done: A teardown failed.');
  const allVerified = htmlReport([verification([interaction()], { unfinished: ['b.json has no interaction.'] })]);
  expect(allVerified).toContain('<title>✗ 1 not done, 1 verified');
  expect(seen(allVerified)).toContain('✗ 1 not done');
  expect(text).toContain('A note.');
});

test('a shell gets the arguments of the curl command as they are', () => {
  const word = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed().replaceAll('\0', ''));
  forAll(25, [word, word, word], (path, value, body) => {
    const command = curlOf(
      { method: 'PUT', path, query: 'q=1', headers: { 'x-a': value }, body },
      { kind: 'address', url: 'http://a.test/' },
    );
    const print = 'curl() { printf "%s\\0" "$@"; }';
    const args = execFileSync('sh', ['-c', `${print}\n${command}`])
      .toString()
      .split('\0')
      .slice(0, -1);
    const sent = body === '' ? [] : ['--data-raw', body];
    expect(args).toEqual(['-i', '-X', 'PUT', `http://a.test${path}?q=1`, '-H', `x-a: ${value}`, ...sent]);
  });
});

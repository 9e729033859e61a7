import { expect, test } from 'vitest';
import { percent, plural, pretty, shortCaller, shortCount, shortUrl } from '../../../gateway/console/page/lib/format.ts';
import {
  axisLabels,
  duration,
  exactTime,
  inputOf,
  instantOf,
  relativeTime,
  shortTime,
  zoneName,
} from '../../../gateway/console/page/lib/time.ts';
import { stopClock } from '../../stopped-clock.ts';

test.each([
  [3.14, '3.1 ms'],
  [340.4, '340 ms'],
  [1249, '1.2 s'],
  [302_000, '5 min 2 s'],
  [300_000, '5 min'],
  [12_000_000, '3 h 20 min'],
  [180_000_000, '2 d 2 h'],
])('a duration of %d ms is shown as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('a relative time uses the largest whole unit, in both directions', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12);
  const at = (seconds: number) => relativeTime(new Date(nowMs + seconds * 1000).toISOString(), nowMs);
  expect([at(-180), at(7200), at(-59), at(-86_400), at(0)]).toEqual([
    '3 min. ago',
    'in 2 hr.',
    '59 sec. ago',
    '1 day ago',
    'in 0 sec.',
  ]);
});

test('a time of another day has its date, and the exact time keeps the milliseconds in UTC', () => {
  const old = '2025-03-04T05:06:07.089Z';
  expect(shortTime(old, 'utc')).toBe('Mar 4, 2025, 05:06:07 UTC');
  expect(shortTime(old, 'local')).toMatch(/2025.* \S+$/);
  expect(shortTime(new Date(stopClock()).toISOString(), 'utc')).toBe('09:30:00 UTC');
  expect([zoneName('utc'), zoneName('local')]).toEqual(['UTC', expect.any(String)]);
  expect(exactTime(old)).toMatch(/^2025-03-04T05:06:07\.089Z \(/);
});

test("a chart's axis has 24-hour times, the date once for each day, and dates alone for steps of a day", () => {
  const at = (day: number, hour: number) => Date.UTC(2026, 6, day, hour) / 1000;
  expect(axisLabels([at(1, 22), at(1, 23), at(2, 0)], 3600, 'utc')).toEqual(['22:00\nJul 1', '23:00', '00:00\nJul 2']);
  expect(axisLabels([at(1, 22)], 30, 'utc')).toEqual(['22:00:00\nJul 1']);
  expect(axisLabels([at(1, 0), at(2, 0)], 86_400, 'utc')).toEqual(['Jul 1', 'Jul 2']);
});

test('a date and time field keeps the time to the second, and is empty while it is incomplete', () => {
  const at = '2026-07-01T10:20:30.000Z';
  for (const zone of ['local', 'utc'] as const) {
    expect(instantOf(inputOf(at, zone), zone)).toBe(at);
    const empty = [inputOf('', zone), inputOf('yesterday', zone), instantOf('', zone), instantOf('2026-07-01T1', zone)];
    expect(empty).toEqual(['', '', '', '']);
  }
  expect(inputOf(at, 'utc')).toBe('2026-07-01T10:20:30');
});

test('a success rate is never rounded up to 100 %', () => {
  expect([percent(1), percent(0.99999), percent(0.9876), percent(0), percent(null)]).toEqual([
    '100 %',
    '99.9 %',
    '98.8 %',
    '0 %',
    '–',
  ]);
});

test('counts, URLs, callers and JSON are shortened for reading', () => {
  expect([plural(1, 'call'), plural(2, 'delivery', 'deliveries'), shortCount(9999), shortCount(12_345)]).toEqual([
    '1 call',
    '2 deliveries',
    '9,999',
    '12.3K',
  ]);
  expect(shortUrl('https://example.com/hook?a=1')).toBe('example.com/hook?a=1');
  expect(shortCaller('account:acc_01a2023092c7755798840a091f6429ed')).toBe('account:acc_…6429ed');
  expect([pretty('{"a":1}'), pretty('not {json')]).toEqual(['{\n  "a": 1\n}', 'not {json']);
});

import { language, locale } from './language.ts';
import type { Zone } from './zone.ts';

/** Times for people to read, in the zone that they chose. The API sends ISO 8601 text in UTC. */

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
const ofDay = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const formatsIn = (timeZone: string | undefined) => ({
  clock: new Intl.DateTimeFormat(locale, { ...clock, timeZone }),
  withDay: new Intl.DateTimeFormat(locale, { ...clock, timeZone, month: 'short', day: 'numeric' }),
  withYear: new Intl.DateTimeFormat(locale, { ...clock, timeZone, year: 'numeric', month: 'short', day: 'numeric' }),
  day: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }),
  minute: new Intl.DateTimeFormat(locale, { ...ofDay, timeZone }),
  second: new Intl.DateTimeFormat(locale, { ...ofDay, timeZone, second: '2-digit' }),
  date: new Intl.DateTimeFormat(locale, { timeZone, month: 'short', day: 'numeric' }),
});
const formats = { local: formatsIn(undefined), utc: formatsIn('UTC') };
const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });

/** The time of day with its zone. With the date unless it is today, and with the year unless it is this one. */
export function shortTime(instant: string, zone: Zone): string {
  const date = new Date(instant);
  const { clock, withDay, withYear, day } = formats[zone];
  const [of, today] = [day.format(date), day.format(new Date())];
  if (of === today) return clock.format(date);
  return (of.slice(0, 4) === today.slice(0, 4) ? withDay : withYear).format(date);
}

/** The name of the zone at this moment, such as `UTC` or `GMT+1`. */
export const zoneName = (zone: Zone) =>
  formats[zone].clock.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';

/** The labels of a chart's axis: times of day, with the date below the first of each day, or dates. All values are in seconds. */
export function axisLabels(instants: readonly number[], step: number, zone: Zone): string[] {
  const { minute, second, date, day } = formats[zone];
  const time = step < 60 ? second : minute;
  const days = instants.map((instant) => day.format(instant * 1000));
  return instants.map((instant, index) => {
    const at = instant * 1000;
    if (step >= 86_400) return date.format(at);
    return days[index] === days[index - 1] ? time.format(at) : `${time.format(at)}\n${date.format(at)}`;
  });
}

/** The exact time in UTC, to the millisecond, followed by the viewer's zone. */
export const exactTime = (instant: string) => `${instant} (${whole.format(new Date(instant))})`;

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' });

/** `3 min. ago`, `in 2 hr.` */
export function relativeTime(instant: string, nowMs: number): string {
  const distanceMs = Date.parse(instant) - nowMs;
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(distanceMs) >= ms) ?? ['second', 1000];
  return relative.format(Math.round(distanceMs / unitMs), unit);
}

/** The letter for a day. The other units have the same letters in both languages. */
const dayLetter = { en: 'd', fr: 'j' }[language];
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A duration: `340 ms`, `1.2 s`, `5 min 2 s`, `3 h 20 min`. */
export function duration(ms: number): string {
  if (ms < 10) return `${decimal.format(ms)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${decimal.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const [big, bigName, small, smallName] =
    seconds < 3600
      ? [Math.floor(seconds / 60), 'min', seconds % 60, 's']
      : seconds < 86_400
        ? [Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'min']
        : [Math.floor(seconds / 86_400), dayLetter, Math.floor((seconds % 86_400) / 3600), 'h'];
  return small === 0 ? `${big} ${bigName}` : `${big} ${bigName} ${small} ${smallName}`;
}

/** A time as the value of `<input type="datetime-local">`: in the zone, to the second. */
export function inputOf(instant: string, zone: Zone): string {
  const atMs = Date.parse(instant);
  if (Number.isNaN(atMs)) return '';
  const offsetMs = zone === 'utc' ? 0 : new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, 19);
}

/** The value of such an input as ISO 8601, or an empty string while it is incomplete. */
export function instantOf(input: string, zone: Zone): string {
  const atMs = Date.parse(zone === 'utc' ? `${input}Z` : input);
  return Number.isNaN(atMs) ? '' : new Date(atMs).toISOString();
}

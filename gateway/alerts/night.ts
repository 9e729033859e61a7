import type { NightHours } from '../store/tables/alerts.ts';

const dayMinutes = 24 * 60;
const minuteMs = 60_000;

export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** Returns the end of the night if it is night at `nowMs`; otherwise returns `nowMs`. Both in milliseconds since 1970. */
export function endOfNight(night: NightHours | null, nowMs: number): number {
  if (night === null) return nowMs;
  const [from, to, now] = [minutesOf(night.from), minutesOf(night.to), minutesIn(night.time_zone, nowMs)];
  const isNight = from <= to ? now >= from && now < to : now >= from || now < to;
  if (!isNight) return nowMs;
  const left = (to - now + dayMinutes) % dayMinutes;
  return Math.floor(nowMs / minuteMs) * minuteMs + left * minuteMs;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function minutesIn(timeZone: string, atMs: number): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return minutesOf(format.format(atMs));
}

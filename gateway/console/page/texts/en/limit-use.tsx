import type { ReactNode } from 'react';
import { count } from '../../lib/format.ts';

const per = (seconds: number | null) => (seconds === 60 ? ' a minute' : seconds === null ? '' : ` in ${seconds} s`);

/** The use of a limit, here and in the profile of partners. */
export const limitUse = {
  /** The names of limits. One that is not here, such as that of an operation, is shown as it is. */
  names: {
    plan: 'plan',
    'financement-writes': 'financement-writes',
    'token-guard': 'token-guard',
    'failed-sign-ins': 'failed-sign-ins',
    'failed-sign-ins-of-credential': 'failed-sign-ins-of-credential',
  } as Readonly<Record<string, string>>,
  refused: (calls: number) => `${count(calls)} refused`,
  use: {
    limit: (name: ReactNode, calls: number, seconds: number | null) => (
      <>
        {name}: {count(calls)}
        {per(seconds)}
      </>
    ),
    unknown: 'current use unknown',
    now: (calls: number) => `${count(calls)} now`,
    peak: (share: string) => `peak ${share}`,
    summary: (name: string, now: string, limit: number, peak: string) => `${name}: ${now} of ${count(limit)}, ${peak}`,
    resets: (fromNow: string) => `resets ${fromNow}`,
  },
};

import type { ReactNode } from 'react';
import { planLimits } from '../../../../../spec/documents/plans.ts';
import { plural } from '../../lib/format.ts';

export const limits = {
  title: 'Limits',
  show: 'Callers to show',
  all: 'All callers',
  near: 'Near or over',
  absent: {
    title: (caller: string) => `${caller} is not in this list`,
    noCalls: (when: string, link: ReactNode) => (
      <>
        It made no calls {when}. Choose a longer period, or {link}.
      </>
    ),
    noCallsOrNotNear: (when: string, link: ReactNode) => (
      <>
        It made no calls {when}, or was not near a limit. Choose a longer period, or {link}.
      </>
    ),
    link: 'see its calls',
  },
  summary: (callers: number, when: string, over: number, near: number, ok: number) =>
    `${plural(callers, 'caller')} ${when}: ${over} over a limit, ${near} near one, ${ok} within their limits.`,
  truncated: (callers: number) => `Only the ${callers} callers with the most refused calls are shown.`,
  nobodyNear: {
    title: 'Nobody is near a limit',
    why: (when: string) => `No caller was refused or used 80 % of a limit ${when}.`,
  },
  nobody: {
    title: (when: string) => `No calls by a known caller ${when}`,
    limits: `A point-of-sale account is limited by its plan (calls a minute: ${planLimits()}). Some routes of both APIs also have their own limit for every caller. A call over a limit gets 429 with the time to try again.`,
    plan: (link: ReactNode) => <>Change an account's plan under {link}.</>,
    accounts: 'Back office, Accounts',
  },
  deleted: 'deleted',
  noLimit: 'Its calls had no limit.',
  calls: (calls: number) => plural(calls, 'call'),
  sparkline: (caller: string, when: string) => `Calls of ${caller} ${when}; refused calls in red`,
  chart: {
    accepted: 'Accepted',
    refused: 'Refused',
    share: 'Share of the limit',
    calls: (when: string) => `Calls ${when}`,
    callsOf: (caller: string, when: string) => `Calls of ${caller} ${when}`,
    peak: 'Highest use of a limit',
    shareOf: (caller: string, when: string) => `Share of a limit used by ${caller} ${when}`,
    drag: 'Drag over a range, or click a bar, to see its calls.',
  },
};

import { Fragment, type ReactNode } from 'react';
import type { Overview } from '../../lib/figures.ts';
import { text } from '../../texts/index.ts';
import { Time } from '../time.tsx';

const words = text.alerts.handling;

/** What operators did with an open alert. */
export type Handled = Overview['verdict']['problems'][number]['alerts'][number];

export const stateOf = ({
  acknowledged_at,
  snoozed_until,
}: Pick<Handled, 'acknowledged_at' | 'snoozed_until'>): 'acknowledged' | 'snoozed' | 'open' =>
  acknowledged_at !== null ? 'acknowledged' : snoozed_until !== null ? 'snoozed' : 'open';

export const isHandled = ({ assigned_to: name, ...of }: Omit<Handled, 'id'>): boolean => name !== null || stateOf(of) !== 'open';

/** Who has some alerts, how many are acknowledged, and until when all of them are snoozed. Nothing if nobody handled one. */
export function HandledBy({ of: alerts }: { of: readonly Handled[] }) {
  const names = [...new Set(alerts.flatMap(({ assigned_to: name }) => name ?? []))];
  const acknowledged = alerts.flatMap(({ acknowledged_at: at }) => at ?? []).sort();
  const snoozes = alerts.flatMap(({ snoozed_until: until }) => until ?? []).sort();
  const said: ReactNode[] = [];
  if (names.length > 0) said.push(words.has(names));
  if (acknowledged[0]) said.push(words.acknowledgedAt(<Time at={acknowledged[0]} />, acknowledged.length, alerts.length));
  if (snoozes[0] && snoozes.length === alerts.length) said.push(words.snoozedUntil(<Time at={snoozes[0]} />));
  return said.map((one, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity, and keep their order.
    <Fragment key={index}>
      {index > 0 && ', '}
      {one}
    </Fragment>
  ));
}

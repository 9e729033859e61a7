import { notFound, Refusal } from '../../../base/errors.ts';
import type { IndicatorType } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { alertStateOf } from '../domain/attainment.ts';
import { indicatorRow } from '../domain/rows.ts';
import { indicatorAlert } from '../events.ts';
import { toIndicator } from '../views.ts';
import { insertNew } from './new-row.ts';

export interface NewIndicator {
  code: string;
  intitule: string;
  type: IndicatorType;
  unite: string;
  cible_annuelle: number;
  is_kpi: boolean;
}

/** A new indicator has the value 0 and is not in alert. */
export async function createIndicator(change: Change, input: NewIndicator): Promise<Row<'indicators'>> {
  const row = indicatorRow({ ...input, valeur_courante: 0, active: true }, change.now);
  return insertNew(change, 'indicators', { ...row, alert_state: 'none' }, 'code');
}

export async function updateIndicator(
  change: Change,
  { id, active }: { id: number; active: boolean },
): Promise<Row<'indicators'>> {
  const [row] = await change.tx.update('indicators', { id }, { active, updated_at: change.now });
  if (!row) throw notFound('id', `There is no indicator ${id}.`);
  return row;
}

/** Sends `indicator.alert` when the alert state becomes `under` or `over`, not while it stays so (gap cohesion.indicator-alert-condition). */
export async function setIndicatorValue(
  change: Change,
  input: { id: number; valeur_courante: number },
): Promise<Row<'indicators'>> {
  const { tx, now } = change;
  const { id, valeur_courante: value } = input;
  const before = await tx.get('indicators', { id }, { lock: true });
  if (!before) throw notFound('id', `There is no indicator ${id}.`);
  if (!before.active)
    throw new Refusal('conflict', 'indicator_inactive', `Indicator ${before.code} is inactive. Activate it first.`);

  const state = alertStateOf(value, before.cible_annuelle);
  const [row] = await tx.update('indicators', { id }, { valeur_courante: value, alert_state: state, updated_at: now });
  const after = row as Row<'indicators'>;
  if (state !== 'none' && state !== before.alert_state) {
    const { id: indicatorId, is_kpi: _, ...shown } = toIndicator(after);
    change.emit(indicatorAlert, { subject: null, data: { indicator_id: indicatorId, ...shown, alert_state: state } });
  }
  return after;
}

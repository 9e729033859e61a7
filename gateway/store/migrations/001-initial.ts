import { alerts } from './initial/alerts.ts';
import { cohesion } from './initial/cohesion.ts';
import { figures } from './initial/figures.ts';
import { operating } from './initial/operating.ts';
import { pos } from './initial/pos.ts';
import { profiles } from './initial/profiles.ts';
import { webhooks } from './initial/webhooks.ts';
import { definePositionBase } from './position-base.ts';
import { run } from './run.ts';

/**
 * The schema of the first version. Foreign keys are only between small tables. A new row locks the row
 * that it names, so deliveries would wait for changes of their endpoint.
 */
export const initial = run(
  definePositionBase('0'),
  ...pos,
  ...cohesion,
  ...webhooks,
  ...operating,
  ...figures,
  ...alerts,
  ...profiles,
);

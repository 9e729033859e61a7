import { lastingCause } from '../../figures/cause.ts';
import type { Where } from '../../store/port.ts';
import { type AlertDetail, type PartnerAlertKind, type PartnerAlertName, partnerAlertNames } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import { endpointValues } from '../measures.ts';

export type PartnerDetail = Extract<AlertDetail, { case: PartnerAlertName }>;

/** What a partner is told about what is its own. Nobody changes the numbers. */
interface PartnerRule {
  /** The kind that a partner can switch off. */
  kind: PartnerAlertKind;
  /** An alert lasts as long as the trouble of its endpoint. Those of the other rules warn of an end, and are over at once. */
  trouble?: Trouble;
  /** The page of the profile that shows it. Default: that of the endpoint. */
  page?: string;
}

interface Trouble {
  /** The endpoints that have it. */
  where: Where<'endpoints'>;
  /** How long nothing has succeeded before it is news. Default: it is at once. */
  failingForMs?: number;
  detail(endpoint: Row<'endpoints'>): PartnerDetail;
}

/** A partner who pauses an endpoint, or has not verified it, knows. */
const disabling = ['gone', 'failing', 'operator'] as const;

export const partnerRules: Readonly<Record<PartnerAlertName, PartnerRule>> = {
  own_endpoint_held: {
    kind: 'endpoint_held',
    trouble: {
      where: { active: true, held_until: { not: null } },
      // Most holds are shorter.
      failingForMs: 60_000,
      detail(endpoint) {
        const cause = lastingCause(endpoint);
        return { case: 'own_endpoint_held', values: endpointValues(endpoint), ...(cause && { cause }) };
      },
    },
  },
  own_endpoint_disabled: {
    kind: 'endpoint_disabled',
    trouble: {
      where: { active: false, disabled_reason: { in: disabling } },
      detail(endpoint) {
        const because = endpoint.disabled_reason as (typeof disabling)[number];
        return { case: 'own_endpoint_disabled', values: { ...endpointValues(endpoint), because } };
      },
    },
  },
  own_token_expires: { kind: 'credential_expires', page: '/tokens' },
  own_key_expires: { kind: 'credential_expires', page: '/keys' },
  own_secret_expires: { kind: 'secret_expires' },
};

export const troubles = Object.values(partnerRules).flatMap(({ trouble }) => trouble ?? []);
export const expiryAlerts = partnerAlertNames.filter((name) => !partnerRules[name].trouble);

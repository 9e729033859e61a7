import { changesAfter } from '../../base/source-addresses.ts';
import { blockedEndpoints } from '../../figures/blocked.ts';
import { causeOfBlocked, type Known, lastingCause } from '../../figures/cause.ts';
import { failingTokenServers } from '../../figures/tokenless.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type AlertDetail, type PartnerAlertKind, type PartnerAlertName, partnerAlertNames } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { type AlertSources, endpointValues, type Finding } from '../measures.ts';

export type PartnerDetail = Extract<AlertDetail, { case: PartnerAlertName }>;

/** Something that a partner should be told. */
export interface News extends Finding {
  about: Partner;
  detail: PartnerDetail;
}

/** The rows that are read and told in one step. */
export const pageRows = 500;

/** A message to partners about their own endpoints or credentials. Nobody changes the numbers. */
interface PartnerRule {
  /** The kind that a partner can switch off. */
  kind: PartnerAlertKind;
  /** If set, an alert lasts as long as the trouble. Alerts of other rules warn that something will end, and are over at once. */
  trouble?: ReadTrouble;
  /** True if the person who ends the trouble knows that it is over. */
  endsKnown?: true;
  /** The page of the profile that shows it. Default: that of the endpoint. */
  page?: string;
}

export interface Found {
  news: News;
  /** True if it has lasted long enough for a message. */
  isNew: boolean;
}

type ReadTrouble = (rows: Rows, now: number, sources: Pick<AlertSources, 'sourceAddresses'>) => AsyncIterable<Found>;

interface Trouble {
  where: Where<'endpoints'>;
  /** The endpoints with this trouble, with its details. Only for a trouble that the rows of endpoints do not show. */
  known?(rows: Rows, now: number): Promise<Map<string, Known>>;
  /** How long nothing must have succeeded before a message is sent. Default: a message is sent at once. */
  failingForMs?: number;
  detail(endpoint: Row<'endpoints'>, known?: Known): PartnerDetail;
}

function heldDetail(endpoint: Row<'endpoints'>, known?: Known): PartnerDetail {
  const cause = lastingCause(endpoint, known);
  return { case: 'own_endpoint_held', values: endpointValues(endpoint), ...(cause && { cause }) };
}

/** The reasons that a partner does not know already. Pausing an endpoint and not verifying it are acts of the partner. */
const disabling = ['gone', 'failing', 'operator'] as const;

/** Most holds and failures of token servers are shorter. */
const lastingMs = 60_000;

const ofHeld = ofEndpoints({
  where: { active: true, held_until: { not: null } },
  failingForMs: lastingMs,
  detail: heldDetail,
});

/** The rows of endpoints do not say that their token servers fail. */
const ofTokenServers = ofEndpoints({
  where: { active: true },
  async known(rows, now) {
    const failing = await failingTokenServers(rows, now - lastingMs);
    return new Map([...failing].map(([id, tokenlessSince]) => [id, { tokenlessSince }]));
  },
  detail: heldDetail,
});

export const partnerRules: Readonly<Record<PartnerAlertName, PartnerRule>> = {
  own_endpoint_held: {
    kind: 'endpoint_held',
    async *trouble(...asked) {
      yield* ofHeld(...asked);
      yield* ofTokenServers(...asked);
    },
  },
  own_endpoint_disabled: {
    kind: 'endpoint_disabled',
    trouble: ofEndpoints({
      where: { active: false, disabled_reason: { in: disabling } },
      detail(endpoint) {
        const because = endpoint.disabled_reason as (typeof disabling)[number];
        return { case: 'own_endpoint_disabled', values: { ...endpointValues(endpoint), because } };
      },
    }),
  },
  own_deliveries_blocked: {
    kind: 'deliveries_blocked',
    endsKnown: true,
    trouble: ofEndpoints({
      where: { active: true },
      known: async (rows) => new Map([...(await blockedEndpoints(rows))].map(([id, blocked]) => [id, { blocked }])),
      detail(endpoint, { blocked } = {}) {
        const cause = blocked && causeOfBlocked(endpoint, blocked);
        return { case: 'own_deliveries_blocked', values: endpointValues(endpoint), ...(cause && { cause }) };
      },
    }),
  },
  own_token_expires: { kind: 'credential_expires', page: '/tokens' },
  own_key_expires: { kind: 'credential_expires', page: '/keys' },
  own_secret_expires: { kind: 'secret_expires' },
  source_address_changes: { kind: 'source_address_changes', page: '/endpoints', trouble: ofSourceAddresses },
};

/** Reads the endpoints of partners page by page. */
function ofEndpoints({ where, known: readKnown, failingForMs, detail }: Trouble): ReadTrouble {
  return async function* (rows, now) {
    const known = await readKnown?.(rows, now);
    for (let after = ''; ; ) {
      const endpoints = await rows.list('endpoints', {
        where: {
          ...where,
          owner: { not: 'operator' },
          deleted_at: null,
          id: known ? { in: [...known.keys()].filter((id) => id > after) } : { gt: after },
        },
        order: [['id', 'asc']],
        limit: pageRows,
      });
      for (const endpoint of endpoints) {
        const { id, owner, failing_since } = endpoint;
        const isNew = failingForMs === undefined || (failing_since !== null && failing_since <= now - failingForMs);
        yield {
          news: { about: owner as Partner, subject: id, page: `/endpoints/${id}`, detail: detail(endpoint, known?.get(id)) },
          isNew,
        };
      }
      if (endpoints.length < pageRows) break;
      after = endpoints.at(-1)?.id ?? '';
    }
  };
}

/**
 * The alert opens when a gateway starts that lists a change, and lasts until the day of the change. So every partner who has
 * endpoints in this time is told.
 */
async function* ofSourceAddresses(
  rows: Rows,
  now: number,
  { sourceAddresses }: Pick<AlertSources, 'sourceAddresses'>,
): AsyncGenerator<Found> {
  const changes = changesAfter(sourceAddresses, now);
  if (changes.length === 0) return;
  const where = { owner: { not: 'operator' }, active: true, deleted_at: null } as const;
  for (const { owner } of await rows.summarize('endpoints', { where, by: ['owner'] }))
    for (const values of changes) {
      const detail = { case: 'source_address_changes', values } as const;
      yield { news: { about: owner as Partner, subject: owner, page: '/endpoints', detail }, isNew: true };
    }
}

export const troubles = Object.values(partnerRules).flatMap(({ trouble }) => trouble ?? []);
export const expiryAlerts = partnerAlertNames.filter((name) => !partnerRules[name].trouble);

import { firstIdAt } from '../../base/ids.ts';
import type { Rows, Store, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { endpointValues, shortName } from '../measures.ts';
import { announce } from './announce.ts';
import { expiryAlerts, type News, pageRows } from './rules.ts';

const dayMs = 24 * 3_600_000;
const warnsWithinMs = 7 * dayMs;
/**
 * When its owner is warned: before the end, or at once if there is less time left. A credential stores the number of its
 * warnings.
 */
const warnings = [
  { number: 2, withinMs: dayMs, before: [0, 1] },
  { number: 1, withinMs: warnsWithinMs, before: [0] },
];

type Credentials = 'tokens' | 'api_keys';
type Credential = Row<'tokens'> | Row<'api_keys'>;

/** Warns of tokens, keys and signing secrets that end soon, each once in a stretch of time. Returns the number of new alerts. */
export async function warnOfExpiry(store: Store, now: number): Promise<number> {
  let told = 0;
  for (const table of ['tokens', 'api_keys'] as const)
    for (const warning of warnings) told += await warnOfCredentials(store, table, warning, now);
  return told + (await warnOfSecrets(store, now));
}

async function warnOfCredentials(
  store: Store,
  table: Credentials,
  { number, withinMs, before }: (typeof warnings)[number],
  now: number,
): Promise<number> {
  const expiry_warnings = { in: before };
  const where: Where<Credentials> = { expiry_warnings, expires_at: { gt: now, lte: now + withinMs }, revoked_at: null };
  let told = 0;
  for (;;) {
    const due = (await store.list(table, { where, order: [['expires_at', 'asc']], limit: pageRows })) as Credential[];
    if (due.length === 0) return told;
    told += await store.transaction(async (tx) => {
      // Only credentials that no other process has counted, and that nobody has revoked meanwhile.
      const seen = { id: { in: due.map(({ id }) => id) }, expiry_warnings, revoked_at: null } as Where<Credentials>;
      const noted = (await tx.update(table, seen, { expiry_warnings: number })) as Credential[];
      return announce(tx, noted.map(newsOf), now);
    });
  }
}

function newsOf(credential: Credential): News {
  const at = new Date(credential.expires_at ?? 0).toISOString();
  if ('account_id' in credential) {
    const { id, account_id } = credential;
    const owner = `account:${account_id}` as const;
    return { about: owner, subject: id, page: callsOf(owner), detail: { case: 'own_key_expires', values: { key: id, at } } };
  }
  const { id, user_id, name } = credential;
  const subject = `token:${id}`;
  const values = { token: subject, name: shortName(name), at };
  return { about: `user:${user_id}`, subject, page: callsOf(subject), detail: { case: 'own_token_expires', values } };
}

/** The news of a signing secret that nobody confirmed; null if it does not end soon, or its endpoint is not in use. */
function newsOfSecret(endpoint: Row<'endpoints'>, now: number): News | null {
  const { id, owner, active, deleted_at } = endpoint;
  const end = endOfRotation(endpoint);
  if (owner === 'operator' || !active || deleted_at !== null || end <= now || end - now > warnsWithinMs) return null;
  const values = { ...endpointValues(endpoint), at: new Date(end).toISOString() };
  return { about: owner, subject: id, page: `/endpoints/${id}`, detail: { case: 'own_secret_expires', values } };
}

/**
 * For a partner who can be reached from now on: makes the warnings possible that nobody got. They were counted, so that a sweep
 * does not read them again. Call it in the transaction that confirms an address, or turns something on. Sent warnings are not
 * repeated.
 */
export async function warnWhatWasUnheard({ tx, now }: { tx: Rows; now: number }, owner: Partner): Promise<void> {
  const where = { owner, rule: { in: expiryAlerts }, id: { gte: firstIdAt('alt', now - warnsWithinMs) } };
  const told = new Set((await tx.list('alerts', { where })).map(toldKey));
  const isUnheard = (news: News | null) => news !== null && !told.has(toldKey(news));
  const [kind, id = ''] = owner.split(':');
  const [table, own] =
    kind === 'user' ? (['tokens', { user_id: Number(id) }] as const) : (['api_keys', { account_id: id }] as const);
  const soon = { expiry_warnings: { gt: 0 }, expires_at: { gt: now, lte: now + warnsWithinMs }, revoked_at: null };
  const credentials = (await tx.list<Credentials>(table, { where: { ...own, ...soon } })) as Credential[];
  const unheard = credentials.filter((one) => isUnheard(newsOf(one))).map((one) => one.id);
  await tx.update<Credentials>(table, { id: { in: unheard } } as Where<Credentials>, { expiry_warnings: 0 });
  const endpoints = await tx.list('endpoints', { where: { owner, deleted_at: null }, order: [['id', 'asc']], lock: true });
  const late = endpoints.filter((one) => isUnheard(newsOfSecret(one, now)));
  await tx.revise(
    'endpoints',
    late.map((one) => ({ id: one.id, rotation_alert_at: now })),
  );
}

const toldKey = ({ subject, detail }: Pick<Row<'alerts'>, 'subject' | 'detail'>) =>
  `${subject} ${'at' in detail.values ? detail.values.at : ''}`;

const callsOf = (caller: string) => `/calls?caller=${encodeURIComponent(caller)}`;

async function warnOfSecrets(store: Store, now: number): Promise<number> {
  const where: Where<'endpoints'> = { rotation_alert_at: { lte: now } };
  for (let told = 0; ; ) {
    const due = await store.list('endpoints', { where, order: [['rotation_alert_at', 'asc']], limit: pageRows });
    if (due.length === 0) return told;
    told += await store.transaction(async (tx) => {
      // Locked, because an attempt may confirm a secret meanwhile.
      const these = { ...where, id: { in: due.map(({ id }) => id) } };
      const endpoints = await tx.list('endpoints', { where: these, order: [['id', 'asc']], lock: true });
      await tx.revise(
        'endpoints',
        endpoints.map((one) => ({ id: one.id, rotation_alert_at: nextLook(endOfRotation(one), now) })),
      );
      const news = endpoints.flatMap((endpoint) => newsOfSecret(endpoint, now) ?? []);
      return announce(tx, news, now);
    });
  }
}

/** When the newest secret takes over although nobody confirmed it. */
const endOfRotation = ({ secrets }: Row<'endpoints'>): number => secrets[0]?.documented_from ?? 0;

/** When to look again at a rotation; null if no warning is left to send. */
function nextLook(end: number, now: number): number | null {
  const next = warnings.map(({ withinMs }) => end - withinMs).filter((at) => at > now);
  return next.length === 0 ? null : Math.min(...next);
}

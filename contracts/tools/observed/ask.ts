import type { ServiceName } from '../../../spec/documents/services.ts';
import { listOf } from '../../../spec/gaps/is/values.ts';
import { fieldsOf, type Json, jsonOr } from '../../../spec/json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { fetchFrom } from '../outgoing.ts';

export interface AskOptions {
  api: ServiceName;
  /** The address of the forwarding server. */
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A store that the account may see (pos). */
  store?: string | undefined;
}

/** Makes calls that change nothing, and whose replies say much about the register. */
export async function ask(options: AskOptions): Promise<void> {
  const get: Get = async (path, headers, sent) => {
    const reply = await fetchFrom(`${options.url}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(sent && { 'content-type': 'application/json' }), ...headers },
      ...(sent && { body: JSON.stringify(sent) }),
      redirect: 'manual',
    });
    const body = fieldsOf(jsonOr(await reply.text(), undefined));
    // `observe` gave this answer itself, because the service gave none.
    const why = body.message ?? fieldsOf(body.error).message ?? `--ask: there was no answer to ${path}.`;
    if (reply.headers.has('x-passerelle-observe')) throw new CouldNotRun(String(why));
    return { status: reply.status, body };
  };
  await (options.api === 'pos' ? askPos(get, options) : askCohesion(get, options));
}

type Get = (path: string, headers: Record<string, string>, sent?: object) => Promise<{ status: number; body: Json }>;

const needed = (env: AskOptions['env'], ...names: string[]): string[] => {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new CouldNotRun(
      `--ask needs credentials: set ${missing.join(' and ')} in the environment, so that no list of processes shows them.`,
    );
  return names.map((name) => env[name] ?? '');
};

async function askPos(get: Get, { env, store }: AskOptions): Promise<void> {
  const [api_key, api_secret] = needed(env, 'PASSERELLE_POS_API_KEY', 'PASSERELLE_POS_API_SECRET');
  const issued = await get('/api/auth', {}, { api_key, api_secret });
  const { token } = issued.body;
  if (typeof token !== 'string')
    throw new CouldNotRun(
      `The service answered ${issued.status} to POST /api/auth and issued no token. Check the two variables of the credentials.`,
    );
  await get('/api/v1/auth', {}, { api_key, api_secret });
  // Only one attempt, with a key that nobody has, so that no account is locked.
  await get('/api/auth', {}, { api_key: 'passerelle-observe', api_secret: 'not-a-secret' });
  await get('/api/auth', {}, { api_key: 1 });
  const of = store === undefined ? '' : `?store_id=${encodeURIComponent(store)}`;
  const days = ['', '&start_date=2026-01-01&end_date=2026-01-31', '&start_date=yesterday&end_date=today'];
  const paths = [
    ...['/inventory', '/inventory?store_id=passerelle-observe-unknown-store', '/sales', '/reports/sales'],
    ...(of && [`/inventory${of}`, `/inventory${of}&passerelle_observe=1`, ...days.map((dates) => `/reports/sales${of}${dates}`)]),
  ];
  for (const path of paths) await get(`/api/v1${path}`, { authorization: `Bearer ${token}` });
  await get(`/api/v1/inventory${of}`, {});
}

async function askCohesion(get: Get, { env }: AskOptions): Promise<void> {
  const [token] = needed(env, 'PASSERELLE_COHESION_TOKEN');
  const headers = { authorization: `Bearer ${token}` };
  const listed = await get('/api/v1/indicateurs', headers);
  const { id } = fieldsOf(listOf(listed.body.data)[0]);
  const paths = [
    ...['/me', ...(Number.isInteger(id) ? [`/indicateurs/${id}`] : []), '/indicateurs/999999999', '/indicateurs?per_page=500'],
    ...['/indicateurs?type=passerelle-observe', '/indicateurs?passerelle_observe=1', '/indicateurs?per_page=1&page=2'],
    ...['/interventions', '/structures', '/stats', '/stats?annee=soon', '/nowhere'],
  ];
  for (const path of paths) await get(`/api/v1${path}`, headers);
  await get('/api/v1/me', {});
}

import type { ServiceName } from '../../../spec/documents/services.ts';
import { fieldsOf, type Json, jsonOr } from '../../../spec/json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { fetchFrom } from '../outgoing.ts';

type Call = (path: string, headers?: Record<string, string>, sent?: object) => Promise<{ status: number; body: Json }>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Makes calls that change nothing. `url`: of the forwarding server. `store`: one that the account may see (pos). */
export async function ask(api: ServiceName, url: string, env: Environment, store?: string): Promise<void> {
  const call: Call = async (path, headers = {}, sent = undefined) => {
    const reply = await fetchFrom(`${url}${path}`, {
      headers: { accept: 'application/json', ...(sent && { 'content-type': 'application/json' }), ...headers },
      ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
      redirect: 'manual',
    });
    const body = fieldsOf(jsonOr(await reply.text(), undefined));
    // `observe` gave this answer itself, because the service gave none.
    const why = String(body.message ?? fieldsOf(body.error).message);
    if (reply.headers.has('x-passerelle-observe')) throw new CouldNotRun(why);
    return { status: reply.status, body };
  };
  await (api === 'pos' ? askPos(call, env, store) : askCohesion(call, env));
}

function needed(env: Environment, ...names: string[]): string[] {
  const missing = names.filter((name) => !env[name]).join(' and ');
  const advice = 'in the environment, so that no list of processes shows them.';
  if (missing !== '') throw new CouldNotRun(`--ask needs credentials: set ${missing} ${advice}`);
  return names.map((name) => env[name] ?? '');
}

async function askPos(call: Call, env: Environment, store: string | undefined): Promise<void> {
  const [api_key, api_secret] = needed(env, 'PASSERELLE_POS_API_KEY', 'PASSERELLE_POS_API_SECRET');
  const { status, body } = await call('/api/auth', {}, { api_key, api_secret });
  const issued = `The service answered ${status} to POST /api/auth and issued no token.`;
  if (typeof body.token !== 'string') throw new CouldNotRun(`${issued} Check the two variables of the credentials.`);
  await call('/api/v1/auth', {}, { api_key, api_secret });
  await call('/api/auth', {}, { api_key: 1 });
  const of = `?store_id=${encodeURIComponent(store ?? '')}`;
  const days = ['', '&start_date=2026-01-01&end_date=2026-01-31', '&start_date=yesterday&end_date=today'];
  const ofStore = [
    `/inventory${of}`,
    `/inventory${of}&passerelle_observe=1`,
    ...days.map((dates) => `/reports/sales${of}${dates}`),
  ];
  const paths = ['/inventory', '/inventory?store_id=passerelle-observe', '/sales', '/reports/sales', ...(store ? ofStore : [])];
  for (const path of paths) await call(`/api/v1${path}`, { authorization: `Bearer ${body.token}` });
  await call('/api/v1/inventory');
}

async function askCohesion(call: Call, env: Environment): Promise<void> {
  const [token] = needed(env, 'PASSERELLE_COHESION_TOKEN');
  const queries = [
    '',
    '/1',
    '/999999999',
    '?per_page=500',
    '?type=passerelle-observe',
    '?passerelle_observe=1',
    '?per_page=1&page=2',
  ];
  const indicators = queries.map((query) => `/indicateurs${query}`);
  for (const path of ['/me', ...indicators, '/interventions', '/structures', '/stats', '/stats?annee=soon', '/nowhere'])
    await call(`/api/v1${path}`, { authorization: `Bearer ${token}` });
  await call('/api/v1/me');
}

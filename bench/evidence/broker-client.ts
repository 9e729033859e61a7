/**
 * The pacts of the Pact Broker's client: what it needs of a broker. They are verified against the stand-in of our tests, which has
 * the calls of docs/ci/broker.md only, and through the proxy of `passerelle verify --broker`, in front of a server that answers as
 * the pact says.
 */
import type { RequestListener } from 'node:http';
import type { Json } from '../../contracts/json.ts';
import { openBrokerProxy } from '../../contracts/tools/broker/proxy.ts';
import { startBroker, type TestBroker } from '../../test/contracts/broker.ts';
import { byReason, type Clone, type Evidence, serving } from './material.ts';
import { numbered, type Subject, verifiedBy } from './verifier.ts';

export const repository = 'pact-foundation/pact_broker-client';

interface Interaction {
  description: string;
  providerState?: string | null;
  request: { method: string; path: string; query?: string };
  response: { status: number; headers?: Record<string, string>; body?: Json };
}

const pacts = [
  'pact_broker_client-pact_broker',
  'Pact Broker Client V2-Pact Broker',
  'pact_broker_client-pactflow',
  'Pact Broker Client V2-PactFlow',
];

export async function run(clone: Clone): Promise<Evidence[]> {
  const found: Evidence[] = [];
  for (const name of pacts) {
    const { interactions, ...rest } = JSON.parse(clone.read(`spec/pacts/${name}.json`)) as { interactions: Interaction[] };
    const verified = (at: Subject) => verifiedBy(at, { ...rest, interactions: interactions.map(numbered) });
    const row = (what: string, wrong: (string | undefined)[]): Evidence => ({
      what: `${name}: ${what}`,
      version: clone.commit(),
      cases: interactions.length,
      agreed: wrong.filter((why) => why === undefined).length,
      others: byReason(wrong.filter((why) => why !== undefined)),
    });
    if (!/flow$/i.test(name))
      found.push(row('the stand-in for a broker in our tests', await againstStandIn(interactions, verified)));
    found.push(row('the proxy of `verify --broker`', await throughProxy(interactions, verified)));
  }
  return found;
}

const password = 'correct horse';

async function againstStandIn(interactions: Interaction[], verified: (at: Subject) => Promise<(string | undefined)[]>) {
  const closers: (() => void)[] = [];
  const broker = await startBroker({}, password, async (answer) => {
    const { url, close } = await serving(answer);
    closers.push(close);
    return url;
  });
  const reasons = (wrong: (string | undefined)[]) =>
    wrong.map((why, index) => {
      if (why === undefined) return undefined;
      const { path, query = '' } = (interactions[index] as Interaction).request;
      if (why.includes('but was 501')) return 'a call that the stand-in does not have';
      if (path === '/' || why.includes('Did you mean pb:')) return 'a link to such a call';
      return query.includes('ignore') ? '`can-i-deploy --ignore`, which the stand-in does not know' : why;
    });
  const headers = { Authorization: `Basic ${Buffer.from(`ci:${password}`).toString('base64')}` };
  const wrong = await verified({
    url: broker.url,
    headers,
    prepare: (index) => setUp(broker, interactions[index]?.providerState),
  });
  for (const close of closers) close();
  return reasons(wrong);
}

/** Gives the stand-in what a state names: versions, of whichever pacticipant, environments, and a tag. */
function setUp(broker: TestBroker, state: string | null | undefined): void {
  const text = state ?? '';
  const numbers = text.match(/\b(?:\d+\.\d+\.\d+|[0-9a-f]{40})\b/g) ?? [];
  broker.published = ['Foo', 'Foo Thing', 'Bar'].flatMap((name) => numbers.map((number) => `${name} ${number}`));
  broker.provider = { name: 'Bar', version: { number: '4.5.6' } };
  broker.environments = text.includes('2 environments') ? ['prod', 'dev'] : ['test'];
  broker.marked = text.includes("tagged with 'prod'") ? ['PUT /pacticipants/Condor/versions/1.3.0/tags/prod'] : [];
  broker.results = [{ success: true }];
}

async function throughProxy(interactions: Interaction[], verified: (at: Subject) => Promise<(string | undefined)[]>) {
  let expected: Interaction | undefined;
  const answer: RequestListener = ({ method, url }, reply) => {
    const isPassedOn = method === expected?.request.method.toUpperCase() && url?.split('?')[0] === expected?.request.path;
    const { status, headers, body }: Interaction['response'] = isPassedOn && expected ? expected.response : { status: 500 };
    reply.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body));
  };
  const broker = await serving(answer);
  const proxy = await openBrokerProxy(broker.url, (pact) => pact);
  const prepare = (index: number) => {
    expected = interactions[index];
  };
  const wrong = await verified({ url: proxy.url, prepare });
  proxy.close();
  broker.close();
  return wrong.map((why) =>
    why?.includes("(String) to be equal to 'http://") ? 'the addresses of links: they lead through the proxy, on purpose' : why,
  );
}

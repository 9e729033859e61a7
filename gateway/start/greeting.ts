import { styleText } from 'node:util';
import { npxCommand, serviceNames, services } from '../../spec/documents/services.ts';
import type { ProcessRole } from '../store/tables/operating.ts';
import type { Settings } from './config.ts';
import type { DemoCredentials } from './demo.ts';

/** The addresses and credentials that a start prints; with `--json` as one line of JSON. */
export interface Greeting {
  url: string;
  operator: { token: string; viewer?: string };
  pos: { baseUrl: string } & Partial<DemoCredentials['pos']>;
  cohesion: { baseUrl: string } & Partial<DemoCredentials['cohesion']>;
  /** What acknowledged changes survive on the embedded tier. */
  durability?: Settings['DURABILITY'];
}

export const greetingOf = (url: string, operatorToken: string, demo: DemoCredentials | undefined): Greeting => ({
  url,
  operator: { token: operatorToken, ...(demo?.viewer === undefined ? {} : { viewer: demo.viewer }) },
  pos: { baseUrl: `${url}/pos/api/v1`, ...demo?.pos },
  cohesion: { baseUrl: `${url}/cohesion/api/v1`, ...demo?.cohesion },
});

/** Colours the text on a terminal, unless NO_COLOR is set. */
const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream: process.stdout });

/** One process of the scale tier. */
export interface Shared {
  role: ProcessRole;
  /** True if OPERATOR_TOKEN is set. It is then not printed into the logs of many machines. */
  tokenGiven: boolean;
}

/** The greeting for people: addresses, one demo credential of each API, and a first call to paste. */
export function readableGreeting(greeting: Greeting, notes: readonly string[], shared?: Shared): string {
  if (shared) return greetingOfOne(greeting, notes, shared);
  const { url, operator, pos, cohesion } = greeting;
  const account = proAccount(pos);
  const token = cohesion.tokens?.at(-1);
  const lines = [
    '',
    `  ${paint('bold', 'Passerelle')} is running at ${paint('cyan', url)}`,
    '',
    ...table(addresses(greeting)),
    '',
  ];
  lines.push(`  ${'Operator token'.padEnd(16)}${operator.token}`);
  if (operator.viewer) lines.push(`  ${'Viewer'.padEnd(16)}${operator.viewer}`);
  if (account)
    lines.push(
      `  ${'pos API key'.padEnd(16)}${account.apiKey}  (${account.plan})`,
      `  ${'pos API secret'.padEnd(16)}${account.apiSecret}`,
    );
  if (token) lines.push(`  ${'cohesion token'.padEnd(16)}${token.token}`);
  for (const note of notes) lines.push('', `  ${paint('yellow', note)}`);
  lines.push(
    '',
    `  ${paint('bold', 'Next: paste this into two other terminals.')}`,
    `  ${variablesOf(greeting)}`,
    '',
    // Webhooks go to this machine with demo data only.
    ...(account ? watching : []),
    `  Guides          ${paint('cyan', `${url}/docs/guides/operators/try-it`)}`,
    '',
  );
  return lines.join('\n');
}

const watching = [
  `  ${paint('bold', 'Watch for webhooks in one of them, and send one from the other.')}`,
  `  ${npxCommand} listen`,
  `  ${npxCommand} trigger ${services.pos.exampleEvent}`,
  '',
];

/** The greeting of one process of the scale tier. */
function greetingOfOne(greeting: Greeting, notes: readonly string[], { role, tokenGiven }: Shared): string {
  const { url, operator } = greeting;
  const shown = role === 'worker' ? probes(url) : addresses(greeting);
  const token = tokenGiven ? 'the value of OPERATOR_TOKEN' : `${operator.token}  (derived from SECRET_KEY)`;
  const next =
    role === 'worker'
      ? ['Next: check that it is ready', '', `curl ${url}/readyz`]
      : [
          'Next: this tier has no demo data. Create an account, then a key for it, with the manage API',
          '',
          `curl -H "Authorization: Bearer $OPERATOR_TOKEN" -H 'Content-Type: application/json' \\`,
          `  -d '{"name": "Boutique", "plan": "pro"}' ${url}/manage/v1/pos/accounts`,
        ];
  const lines = [
    '',
    `${paint('bold', 'Passerelle')} is running at ${paint('cyan', url)}`,
    '',
    ...table([['Role', role], ...shown, ['Operator token', token]]).map((line) => line.trimStart()),
    ...notes.flatMap((note) => ['', paint('yellow', note)]),
    '',
    ...next,
  ];
  return `${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`;
}

const table = (rows: readonly (readonly [string, string])[]) => rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`);

const probes = (url: string): [string, string][] => [
  ['Readiness', `${url}/readyz`],
  ['Metrics', `${url}/metrics`],
];

function addresses(greeting: Greeting): [string, string][] {
  const { url } = greeting;
  return [
    ...serviceNames.map((name): [string, string] => [services[name].title, greeting[name].baseUrl]),
    ['Console', `${url}/console`],
    ['Profile', `${url}/profile  (for partners)`],
    ['Manage', `${url}/manage/v1`],
    ['Documents', `${url}/docs`],
    ['Gaps', `${url}/docs/gaps`],
    ['Metrics', `${url}/metrics`],
  ];
}

/** A line to paste into a shell: the variables of the commands and of docs/operators/try-it.md. */
function variablesOf({ url, operator, pos, cohesion }: Greeting): string {
  const account = proAccount(pos);
  const token = cohesion.tokens?.at(-1);
  const variables = {
    PASSERELLE_URL: url,
    PASSERELLE_OPERATOR_TOKEN: operator.token,
    API_KEY: account?.apiKey,
    API_SECRET: account?.apiSecret,
    COHESION: token?.token,
  };
  const known = Object.entries(variables).filter(([, value]) => value !== undefined);
  return `export ${known.map(([name, value]) => `${name}='${value}'`).join(' ')}`;
}

const proAccount = (pos: Greeting['pos']) => pos.accounts?.find(({ plan }) => plan === 'pro') ?? pos.accounts?.[0];

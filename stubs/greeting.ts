import { styleText } from 'node:util';
import { npxCommand, type ServiceName, services } from '../spec/documents/services.ts';
import { curlLine } from '../spec/openapi/example.ts';
import type { Credentials } from './credentials.ts';
import { environmentOf } from './suite/environment.ts';
import type { Stub } from './types.ts';

/** The greeting of a stub for programs: one JSON object. `caFile`: what clients must trust, if the stub serves https. */
export function jsonGreeting(stub: Stub, caFile?: string): string {
  const { api, url, console, credentials, operatorToken, secret, endpoints, assumptions } = stub;
  const shown = { api, url, caFile, console, credentials, operatorToken, secret, endpoints: endpoints.list() };
  return JSON.stringify({ kind: 'started', ...shown, assumptions: assumptions.list() });
}

interface Look {
  colors: boolean;
  /** The file that clients must trust, if the stub serves https. */
  trusted?: string | undefined;
}

/** The greeting of a stub for people: addresses, credentials, a call to try and the next step. */
export function greetingOf<A extends ServiceName>(stub: Stub<A>, { colors, trusted }: Look): string {
  const { api, url, console, operatorToken, secret, endpoints, payments, faults, assumptions } = stub;
  const tried = tries[api](url, stub.credentials);
  const numbers = new Map(payments.testNumbers.map(({ rule, phone, does }) => [rule, `${phone}  ${does}`]));
  const bold = (text: string) => (colors ? styleText('bold', text, { validateStream: false }) : text);
  const rows = [
    ['API', `${url}/api/v1`],
    ['Manage', `${url}/manage/v1`],
    ['Console', `${url}/console/stub`],
    ['Read and try', `${url}/docs`],
    ['Guides', `${url}/docs/guides/partners`],
    ['OpenAPI', `${url}/openapi.json`],
    ['Control', `${url}/_stub`],
    ...(console === undefined ? [] : [['Profile', `${url}/profile  (for partners: sign in with their credentials)`]]),
    ...(trusted === undefined ? [] : trustRows(trusted)),
    ...credentialRows[api](stub.credentials),
    ['Operator token', operatorToken],
    ['Signing secret', secret],
    ...endpoints.list().map(({ url: to, events, owner }) => {
      const what = `${events?.join(', ') ?? 'all events'}${owner === null ? '' : ` of ${owner}`}`;
      return ['Webhooks to', `${to} (${what})`];
    }),
    ...payments.rules.map((rule) => ['Mobile money', numbers.get(rule) ?? rule]),
    ...assumptions.list().map(({ gap, alternative, text }) => ['Assumes', `${gap}=${alternative} (${text})`]),
    ...faults.list().map(({ text }) => ['Fault', `${text} (seed ${faults.seed})`]),
  ];
  const lines = [
    `${bold('Passerelle')} stub of ${api} at ${bold(url)}`,
    '',
    ...rows.map(([name = '', value = '']) => `${name.padEnd(16)}${value}`),
    '',
    'Try:',
    trusted === undefined ? tried : tried.replace('curl', () => `curl --cacert ${quoted(trusted)}`),
    '',
    'Paste this into other terminals, for your receiver, listen, trigger and doctor:',
    `export ${variablesOf(stub, trusted).join(' ')}`,
    '',
    `Watch: ${npxCommand} listen`,
    `Next: ${npxCommand} trigger ${services[api].exampleEvent} --at ${url}${endpoints.list().length > 0 ? '' : ' --to http://127.0.0.1:3000/hook'}`,
  ];
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`;
}

/** How clients trust what nobody else knows. The variables of some replace what they trust otherwise, so they are not exported. */
const trustRows = (file: string): [string, string][] => [
  ['Clients trust', file],
  ['', 'Node: NODE_EXTRA_CA_CERTS=FILE, curl: --cacert FILE, Python, Go and Ruby: SSL_CERT_FILE=FILE'],
  ['', 'Python requests: REQUESTS_CA_BUNDLE=FILE, PHP: -d curl.cainfo=FILE -d openssl.cafile=FILE'],
];

/** Those that `passerelle run` sets, without the tokens of single abilities. */
const variablesOf = (stub: Stub<ServiceName>, trusted: string | undefined) =>
  Object.entries(environmentOf([stub], {}, trusted))
    .filter(([name]) => !name.includes('_TOKEN_'))
    .map(([name, value]) => `${name}=${quoted(value)}`);

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const credentialRows: { [A in ServiceName]: (credentials: Credentials[A]) => [string, string][] } = {
  pos: ({ apiKey, apiSecret, plan }) => [
    ['API key', `${apiKey}  (${plan})`],
    ['API secret', apiSecret],
  ],
  cohesion: ({ token, tokens }) => [
    ['Token', token],
    ...tokens
      .filter((one) => one.token !== token)
      .map((one): [string, string] => ['', `${one.token}  (${one.abilities.join(', ')})`]),
  ],
};

const tries: { [A in ServiceName]: (url: string, credentials: Credentials[A]) => string } = {
  pos: (url, { apiKey, apiSecret }) =>
    curlLine(url, { method: 'POST', path: '/api/auth', body: { api_key: apiKey, api_secret: apiSecret } }),
  cohesion: (url, { token }) => curlLine(url, { method: 'GET', path: '/api/v1/indicateurs?per_page=2' }, token),
};

import { styleText } from 'node:util';
import { services } from '../contracts/documents/services.ts';
import type { Credentials } from './credentials.ts';
import { curlLine } from './help/example.ts';
import type { Stub } from './types.ts';

/** The greeting of a stub for programs: one JSON object. */
export function jsonGreeting({ api, url, console, credentials, operatorToken, endpoints }: Stub): string {
  return JSON.stringify({ kind: 'started', api, url, console, credentials, operatorToken, endpoints: endpoints.list() });
}

/** The greeting of a stub for people: addresses, credentials, a call to try and the next step. */
export function greetingOf(stub: Stub, { colors }: { colors: boolean }): string {
  const { api, url, console, operatorToken, endpoints, faults } = stub;
  const bold = (text: string) => (colors ? styleText('bold', text, { validateStream: false }) : text);
  const rows = [
    ['API', `${url}/api/v1`],
    ['Manage', `${url}/manage/v1`],
    ['Read and try', `${url}/docs`],
    ['Control', `${url}/_stub`],
    ...(console === undefined ? [] : [['Console', `${console}  (sign in with the operator token)`]]),
    ...credentialRows[api](stub.credentials as never),
    ['Operator token', operatorToken],
    ...endpoints.list().flatMap((endpoint) => [
      ['Webhooks to', `${endpoint.url} (${endpoint.events?.join(', ') ?? 'all events'})`],
      ['  secret', endpoint.secret],
    ]),
    ...faults.list().map(({ text }) => ['Fault', `${text} (seed ${faults.seed})`]),
  ];
  const lines = [
    `${bold('Passerelle')} stub of ${api} at ${bold(url)}`,
    '',
    ...rows.map(([name = '', value = '']) => `${name.padEnd(16)}${value}`),
    '',
    'Try:',
    ...tries[api](url, stub.credentials as never),
    '',
    `Next: npx passerelle trigger ${services[api].exampleEvent} --at ${url}${endpoints.list().length > 0 ? '' : ' --to http://127.0.0.1:3000/hook'}`,
  ];
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`;
}

const credentialRows = {
  pos: ({ apiKey, apiSecret, plan }: Credentials['pos']): [string, string][] => [
    ['API key', `${apiKey}  (${plan})`],
    ['API secret', apiSecret],
  ],
  cohesion: ({ token, tokens }: Credentials['cohesion']): [string, string][] => [
    ['Token', token],
    ...tokens
      .filter((one) => one.token !== token)
      .map((one): [string, string] => ['', `${one.token}  (${one.abilities.join(', ')})`]),
  ],
};

const tries = {
  pos: (url: string, { apiKey, apiSecret }: Credentials['pos']): string[] => [
    curlLine(url, { method: 'POST', path: '/api/auth', body: { api_key: apiKey, api_secret: apiSecret } }),
  ],
  cohesion: (url: string, { token }: Credentials['cohesion']): string[] => [
    curlLine(url, { method: 'GET', path: '/api/v1/indicateurs?per_page=2' }, token),
  ],
};

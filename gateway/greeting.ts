import { styleText } from 'node:util';
import type { DemoCredentials } from './demo.ts';

/** What a start tells. `npm start -- --json` prints it as one line of JSON. */
export interface Greeting {
  url: string;
  operator: { token: string };
  pos: { baseUrl: string } & Partial<DemoCredentials['pos']>;
  cohesion: { baseUrl: string } & Partial<DemoCredentials['cohesion']>;
}

export function greetingOf(url: string, operatorToken: string, demo: DemoCredentials | undefined): Greeting {
  return {
    url,
    operator: { token: operatorToken },
    pos: { baseUrl: `${url}/pos/api/v1`, ...demo?.pos },
    cohesion: { baseUrl: `${url}/cohesion/api/v1`, ...demo?.cohesion },
  };
}

/** Colours only where a person looks: on a terminal that has not asked for none (NO_COLOR). */
const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream: process.stdout });

/** The greeting for people: addresses, a demo credential of each API, and a line to try. */
export function readableGreeting(greeting: Greeting, notes: readonly string[]): string {
  const { url, operator, pos, cohesion } = greeting;
  const account = pos.accounts?.find(({ plan }) => plan === 'pro') ?? pos.accounts?.[0];
  const token = cohesion.tokens?.at(-1);
  const rows: [string, string][] = [
    ['Point of Sale', pos.baseUrl],
    ['Social Cohesion', cohesion.baseUrl],
    ['Manage', `${url}/manage/v1`],
    ['Documents', `${url}/docs`],
    ['Gaps', `${url}/docs/gaps`],
    ['Metrics', `${url}/metrics`],
  ];
  const lines = ['', `  ${paint('bold', 'Passerelle')} is running at ${paint('cyan', url)}`, '', ...rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`), ''];
  lines.push(`  ${'Operator token'.padEnd(16)}${operator.token}`);
  if (account) lines.push(`  ${'pos API key'.padEnd(16)}${account.apiKey}  (${account.plan})`, `  ${'pos API secret'.padEnd(16)}${account.apiSecret}`);
  if (token) lines.push(`  ${'cohesion token'.padEnd(16)}${token.token}`);
  for (const note of notes) lines.push('', `  ${paint('yellow', note)}`);
  lines.push('', `  ${paint('bold', 'Try:')}`, '', ...tryThis(greeting).map((line) => `  ${line}`), '');
  return lines.join('\n');
}

function tryThis({ url, operator, cohesion }: Greeting): string[] {
  const token = cohesion.tokens?.at(-1);
  if (token) return [`curl -H 'Authorization: Bearer ${token.token}' '${cohesion.baseUrl}/indicateurs?per_page=2'`];
  return [`curl -H 'Authorization: Bearer ${operator.token}' '${url}/manage/v1/calls'`];
}

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify, stripVTControlCharacters } from 'node:util';
import { hasPart, missingPart } from '../parts.ts';
import { BrokerError, type BrokerErrorCode } from './error.ts';
import type { Broker } from './settings.ts';

/** How long a call may take, and who may stop it. */
export interface Limits {
  signal?: AbortSignal;
  timeoutMs?: number;
}

interface Call extends Limits {
  /** What a 404 means for this call. */
  notFound?: string;
}

// A broker that is away is asked three times in 1.5 s; pact-cli's own eight take a minute.
const attempts = '3';
const maxOutputBytes = 16 * 1024 * 1024;

/**
 * Runs `pact broker ...` without a shell. The address and the credentials go through the child's environment, where other
 * users of the machine cannot read them. Resolves to what it printed; throws a BrokerError where it says that it failed.
 */
export async function runPactCli(broker: Broker, args: readonly string[], call: Call = {}): Promise<string> {
  const { timeoutMs = 60_000, signal, notFound } = call;
  try {
    const { stdout } = await promisify(execFile)(executable(), ['broker', ...args, '--retries', attempts], {
      env: environmentOf(broker),
      maxBuffer: maxOutputBytes,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
      signal,
    });
    return stripVTControlCharacters(stdout).trim();
  } catch (error) {
    throw error instanceof BrokerError ? error : explain(broker, error as Failure, { timeoutMs, notFound });
  }
}

/** What execFile rejects with. */
interface Failure extends Error {
  code?: number | string;
  killed?: boolean;
  stdout?: string;
  stderr?: string;
}

function executable(): string {
  if (!hasPart('@pact-foundation/pact-cli')) throw new BrokerError('tool', missingPart('@pact-foundation/pact-cli'));
  try {
    const { standalone } = createRequire(import.meta.url)('@pact-foundation/pact-cli/src/pact-standalone.js');
    return standalone().pactFullPath;
  } catch {
    const platform = `${process.platform}-${process.arch}`;
    throw new BrokerError('tool', `@pact-foundation/pact-cli has no program for ${platform}: run npm install on this machine.`);
  }
}

const environmentOf = ({ url, username, password, token, environment }: Broker): Record<string, string> => ({
  ...environment,
  PACT_DO_NOT_TRACK: 'true',
  PACT_BROKER_BASE_URL: url,
  ...(username && { PACT_BROKER_USERNAME: username }),
  ...(password && { PACT_BROKER_PASSWORD: password }),
  ...(token && { PACT_BROKER_TOKEN: token }),
});

/** The text without the broker's secrets, in case a broker echoes them. */
export function withoutSecrets(broker: Broker, text: string): string {
  const basic = broker.password && Buffer.from(`${broker.username}:${broker.password}`).toString('base64');
  const secrets = [basic, broker.password, broker.token].filter((secret) => secret !== undefined && secret !== '');
  return secrets.reduce<string>((cleaned, secret) => cleaned.replaceAll(secret as string, '***'), text);
}

interface Reason {
  code: BrokerErrorCode;
  /** In what pact-cli printed. */
  says: RegExp;
  message(broker: Broker, match: RegExpExecArray, notFound?: string): string;
}

const reasons: readonly Reason[] = [
  {
    code: 'credentials',
    says: /failed: (401|403)\b/,
    message: (broker, [, status]) =>
      `The broker at ${broker.url} refused ${credentialsOf(broker)} (${status}): ${status === '401' ? 'check them' : 'they may not do this'}.`,
  },
  {
    code: 'away',
    says: /error sending request/,
    message: ({ url }) =>
      `No broker answers at ${url}: check PACT_BROKER_BASE_URL, that the broker runs, and that its certificate is trusted.`,
  },
  {
    code: 'not_found',
    says: /Pacticipant (.+?) not found/,
    message: ({ url }, [, name]) =>
      `The broker at ${url} knows no application '${name}': check the name, or publish a pact that names it.`,
  },
  {
    code: 'not_found',
    says: /Environment (?:with name )?'?(.+?)'? does not exist/,
    message: ({ url }, [, name]) =>
      `The broker at ${url} has no environment '${name}': check the name, or create it (pact broker create-environment).`,
  },
  {
    code: 'not_found',
    says: /failed: 404\b/,
    message: ({ url }, _match, notFound) => notFound ?? `There is no Pact Broker at ${url} (404): check PACT_BROKER_BASE_URL.`,
  },
  {
    code: 'refused',
    says: /failed: (\d{3}[^.]*)\./,
    message: ({ url }, [, status]) => `The broker at ${url} failed (${status}): look at its log, or try again later.`,
  },
  {
    code: 'away',
    // It panics where the index has no links.
    says: /Could not find relation|Did not get a valid HAL response|panicked at/,
    message: ({ url }) => `What answers at ${url} is no Pact Broker: check PACT_BROKER_BASE_URL.`,
  },
  {
    code: 'refused',
    says: /(?:contracts: |error: |❌ (?!Pact publication failed))(.+)/,
    message: ({ url }, [, text]) => `The broker at ${url} refused, or pact-cli did: ${text}`,
  },
];

function explain(
  broker: Broker,
  failure: Failure,
  { timeoutMs, notFound }: { timeoutMs: number; notFound?: string },
): BrokerError {
  const printed = stripVTControlCharacters(`${failure.stdout ?? ''}\n${failure.stderr ?? ''}`).trim();
  const output = withoutSecrets(broker, printed);
  const error = (code: BrokerErrorCode, message: string) => new BrokerError(code, withoutSecrets(broker, message), output);
  if (failure.name === 'AbortError') return error('aborted', `The call to the broker at ${broker.url} was stopped.`);
  if (failure.killed) return error('timed_out', `The broker at ${broker.url} did not answer within ${timeoutMs / 1000} s.`);
  if (typeof failure.code === 'string') return error('tool', `pact-cli could not be run: ${failure.message}`);
  for (const { code, says, message } of reasons) {
    const match = says.exec(printed);
    if (match) return error(code, message(broker, match, notFound));
  }
  return error('refused', `pact-cli ended with ${failure.code} and said nothing that is known: see its output.`);
}

function credentialsOf({ username, token }: Broker): string {
  if (token) return 'the token in PACT_BROKER_TOKEN';
  return username ? `user '${username}' with the password in PACT_BROKER_PASSWORD` : 'a call without credentials';
}

import { Agent, Dispatcher, fetch, ProxyAgent, type RequestInit, type Response } from 'undici';
import { isThisMachine } from '../../gateway/base/addresses.ts';
import { hostOf } from '../../gateway/base/hosts.ts';
import { skipInterimAnswers } from '../../gateway/base/interim-answers.ts';
import { CouldNotRun } from './could-not-run.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy of the environment. */
interface Proxy {
  /** The variable that names it. */
  variable: string;
  /** It may hold a password. */
  url: URL;
}

/** Connections by the address of their proxy; direct ones have the empty address. */
const dispatchers = new Map<string, Dispatcher>();

/**
 * Returns the shared connections for a call. Throws `CouldNotRun` if the environment's proxy cannot be
 * used.
 */
export function dispatcherFor(url: string): Dispatcher {
  const address = proxyFor(url)?.url.href ?? '';
  const known = dispatchers.get(address);
  if (known) return known;
  skipInterimAnswers();
  const opened = address === '' ? new Agent() : new ProxyAgent({ uri: address });
  dispatchers.set(address, opened);
  return opened;
}

/**
 * Calls an address. Commands must not use Node's own `fetch`: with NODE_USE_ENV_PROXY it sends calls to
 * this machine, with their tokens, through the environment's proxy.
 */
export async function fetchFrom(url: string, init: RequestInit = {}): Promise<Response> {
  // Here, because `fetch` hides the message of what is thrown in a dispatcher.
  dispatcherFor(url);
  return fetch(url, { ...init, dispatcher: eachByItsAddress });
}

const answerDeadlineMs = 30_000;
const maxAnswerBytes = 20_000_000;

/** What a server answered, after redirects and decompression. */
interface Answer {
  status: number;
  statusText: string;
  bytes: Buffer;
}

/** Calls an address and reads an answer of at most 20 MB within 30 s. Throws `CouldNotRun`, which calls the address `name`. */
export async function askFor(url: string, init: RequestInit, name: string): Promise<Answer> {
  try {
    const reply = await fetchFrom(url, { ...init, signal: AbortSignal.timeout(answerDeadlineMs) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of reply.body ?? []) {
      size += chunk.length;
      if (size > maxAnswerBytes) throw new CouldNotRun(`${name} answered with more than ${maxAnswerBytes} bytes.`);
      chunks.push(chunk);
    }
    return { status: reply.status, statusText: reply.statusText, bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof CouldNotRun) throw error;
    throw new CouldNotRun(`${name} did not answer: ${explainFailure(url, error)}.`);
  }
}

/** The value of a header with a name and a password (RFC 7617). */
export const basicLogin = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** A redirect may lead to this machine, or away from it, so each call of a chain has the connections of its own address. */
class EachByItsAddress extends Dispatcher {
  override dispatch(call: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return dispatcherFor(String(call.origin)).dispatch(call, handler);
  }
}
const eachByItsAddress = new EachByItsAddress();

/**
 * Returns the end of a message about an address that did not answer, without a full stop: the first cause,
 * and the proxy.
 */
export function explainFailure(url: string, thrown: unknown): string {
  const first = firstCause(thrown);
  const why = (first.message || String(first.code)).replace(/\.+$/, '');
  const proxy = thrown instanceof CouldNotRun ? undefined : proxyFor(url);
  if (!proxy) return why;
  const name = `the proxy ${proxy.url.protocol}//${proxy.url.host} of ${proxy.variable}`;
  const status = statusOfProxy(first);
  return status === undefined ? `${why}, through ${name}` : `${name} answered ${status} to CONNECT`;
}

/** True if the call did not leave the environment's proxy. */
export const isRefusedByProxy = (thrown: unknown): boolean => statusOfProxy(firstCause(thrown)) !== undefined;

function firstCause(thrown: unknown): NodeJS.ErrnoException {
  const error = thrown as NodeJS.ErrnoException;
  // A name with several addresses has an error for each.
  const before: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return before instanceof Error ? firstCause(before) : error;
}

/** The status in undici's error about a proxy that opens no tunnel. */
const statusOfProxy = ({ message }: Error): string | undefined => /^Proxy response \((\d+)\)/.exec(message)?.[1];

/**
 * Returns the proxy of the environment through which an address is called. This machine is never called
 * through a proxy: there the address is another machine's, and a token would be read on the way. Variables
 * in lower case win, and the general one comes after those of a scheme.
 */
export function proxyFor(address: string, environment: Environment = process.env): Proxy | undefined {
  const url = new URL(address);
  if (isThisMachine(hostOf(url.hostname))) return undefined;
  if (isException(url, environment.no_proxy ?? environment.NO_PROXY ?? '')) return undefined;
  const ofScheme = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : [];
  const names = [...ofScheme, 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];
  const variable = names.find((name) => environment[name]);
  return variable === undefined ? undefined : readProxy(variable, environment[variable] ?? '');
}

/** Reads a proxy's address, as curl does: without a scheme it is an http proxy. */
function readProxy(variable: string, value: string): Proxy {
  const url = URL.parse(value.includes('://') ? value.replace(/^socks5h:/i, 'socks5:') : `http://${value}`);
  const isKnown = url !== null && /^(https?|socks5?):$/.test(url.protocol);
  if (isKnown && isDecodable(url.username + url.password)) return { variable, url };
  // The value is not printed, because it may hold a password.
  const advice = 'In a password, write "/" as %2F and "%" as %25.';
  throw new CouldNotRun(`${variable} must be the address of a proxy, such as http://proxy.example:3128. ${advice}`);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * True if NO_PROXY names the host, or a domain that it belongs to: `example.org`, `*.example.org`,
 * `10.0.0.1:8080` or `*`.
 */
function isException(url: URL, exceptions: string): boolean {
  const host = hostOf(url.hostname).replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return exceptions.split(/[,\s]+/).some((entry) => {
    const [, name = entry, onlyPort = port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (name === '' || onlyPort !== port) return false;
    if (name === '*') return true;
    const domain = hostOf(name)
      .replace(/^\*?\./, '')
      .replace(/\.$/, '')
      .toLowerCase();
    return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*'));
  });
}

const thisMachine = ['localhost', '127.0.0.1', '::1', '[::1]', '0.0.0.0', '::', '[::]'];

/** Returns the environment of a child process that calls this machine: its variables name this machine as an exception of the proxy. */
export function environmentOfChild(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const given = environment.no_proxy ?? environment.NO_PROXY ?? '';
  const exceptions = given.trim() === '*' ? given : [given, ...thisMachine].filter(Boolean).join(',');
  return { ...environment, NO_PROXY: exceptions, no_proxy: exceptions };
}

import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import type { EmailSettings } from '../store/tables/alerts.ts';
import { type Message, plainText } from './texts.ts';

/** How a server took a message. */
export interface Answered {
  ok: boolean;
  /** The server's own words, or why there are none. */
  answer: string;
}

export interface EmailOptions {
  /** Time limit of the whole exchange, in milliseconds. */
  deadlineMs: number;
  /** For tests: a certificate authority (PEM). By default those of Node, and of NODE_EXTRA_CA_CERTS. */
  ca?: string | undefined;
  /** Ends the exchange early. */
  signal?: AbortSignal | undefined;
}

/**
 * Mail servers are often on this machine or in a private network, so these addresses are allowed. Link-local addresses are
 * refused, because clouds serve credentials there. Other special ranges are refused too.
 */
const allowedRanges = new Set(['unicast', 'private', 'uniqueLocal', 'loopback']);

interface Sender {
  settings: EmailSettings;
  password: string | null;
}

/** Sends one message over SMTP. A failure of any kind is an answer; this never rejects. */
export async function sendEmail(sender: Sender, message: Message, options: EmailOptions): Promise<Answered> {
  const { deadlineMs, signal } = options;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The server did not finish within ${deadlineMs / 1000} s.`)), deadlineMs);
  const stop = () => reject(new Error('The gateway was stopped meanwhile.'));
  signal?.addEventListener('abort', stop);
  const ended = new AbortController();
  try {
    const host = await Promise.race([addressOf(sender.settings.host), late]);
    const answer = await Promise.race([exchange(host, sender, message, { ...options, signal: ended.signal }), late]);
    return { ok: true, answer };
  } catch (error) {
    const { response, message: text } = error as Error & { response?: string };
    return { ok: false, answer: response ?? text };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    ended.abort();
  }
}

async function exchange(
  host: string,
  { settings, password }: Sender,
  message: Message,
  { deadlineMs, ca, signal }: EmailOptions,
): Promise<string> {
  // Loaded here, because most processes send no mail.
  const { createTransport } = await import('nodemailer');
  const { security, port, username, from, to } = settings;
  const name = isIP(settings.host) > 0 ? {} : { servername: settings.host };
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2', ...name, ...(ca === undefined ? {} : { ca }) },
    ...(username === null ? {} : { auth: { user: username, pass: password ?? '' } }),
    // Longer than our own time limit, so that our limit decides, and the answer is always the same.
    connectionTimeout: 2 * deadlineMs,
    greetingTimeout: 2 * deadlineMs,
    socketTimeout: 2 * deadlineMs,
    maxResponseSize: 16 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sent = await transport.sendMail({
    from: { name: 'Passerelle', address: from },
    to: to.map((address) => ({ name: '', address })),
    subject: message.subject,
    text: plainText(message),
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(signal && { signal }),
  });
  const refused: readonly string[] = sent.rejected;
  return refused.length === 0 ? sent.response : `${sent.response} (refused: ${refused.join(', ')})`;
}

const lookup = promisify(systemLookup);

/** Returns the address to connect to, so that the one that is checked is the one that is used. */
async function addressOf(host: string): Promise<string> {
  const found = isIP(host) > 0 ? [{ address: host }] : await lookup(host, { all: true });
  for (const { address } of found) {
    const range = ipaddr.process(address).range();
    if (!allowedRanges.has(range)) throw new Error(`${host} is ${address}, which is not allowed (${range}).`);
  }
  return found[0]?.address ?? host;
}

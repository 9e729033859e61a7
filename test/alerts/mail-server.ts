import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
/** A certificate for `localhost` that signs itself. */
export const certificate = read('localhost.crt');
const key = read('localhost.key');

export interface Mail {
  from: string;
  to: string[];
  /** The lines of the header, unfolded. */
  headers: string[];
  subject: string;
  body: string;
  /** True if it came over TLS. */
  secure: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  mails: Mail[];
}

export const login = { user: 'alerts', pass: 'correct horse' };

/** A real SMTP server on this machine. By default without TLS and login. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    key,
    cert: certificate,
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, callback) {
      if (username === login.user && password === login.pass) callback(null, { user: username });
      else callback(new Error(`No such login: ${username} with ${password}`));
    },
    async onData(stream, session, callback) {
      const text = Buffer.concat(await stream.toArray()).toString('utf8');
      const { mailFrom, rcptTo } = session.envelope;
      mails.push({
        ...parsed(text),
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        secure: session.secure,
        user: session.user as string | undefined,
      });
      callback(null, `Message ${mails.length} taken`);
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port: (server.server.address() as AddressInfo).port, mails };
}

/** Reads what nodemailer writes: folded headers with encoded words, and one part of text. */
export function parsed(text: string): Pick<Mail, 'headers' | 'subject' | 'body'> {
  const end = text.indexOf('\r\n\r\n');
  const headers = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headerOf = (name: string) =>
    headers.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  return {
    headers,
    subject: decodedWords(headerOf('subject')),
    body: decodedBody(text.slice(end + 4), headerOf('content-transfer-encoding')),
  };
}

const decodedWords = (value: string) =>
  value
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, form, word) =>
      form.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('latin1')
        : quoted(word.replaceAll('_', ' ')).toString('latin1'),
    )
    .replaceAll(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));

function decodedBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding === 'quoted-printable') return quoted(body.replaceAll('=\r\n', '')).toString('utf8');
  return body;
}

const quoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

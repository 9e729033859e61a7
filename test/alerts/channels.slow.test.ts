import { createServer } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { sendEmail } from '../../gateway/alerts/email.ts';
import { messageOf, oneLine, slackText } from '../../gateway/alerts/texts.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import type { EmailSettings } from '../../gateway/store/tables/alerts.ts';
import { forAll, forAllAsync } from '../for-all.ts';
import { buildTestApp, sharedByTests, type TestGateway } from '../helper.ts';
import { rowOf } from '../store/rows.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emailChannel } from './harness.ts';
import { certificate, login, type MailServer, mailServer } from './mail-server.ts';

const alert = rowOf('alerts', {
  id: 'alt_1',
  rule: 'dead_letters',
  severity: 'warning',
  subject: 'ep_1',
  open_key: 'alt_1',
  message: 'It failed.',
  page: '/',
  opened_at: 0,
  detail: { case: 'disk_space', values: { megabytes: 1 } },
});

const settings = ({ port }: Pick<MailServer, 'port'>, more: Partial<EmailSettings> = {}): EmailSettings => ({
  host: 'localhost',
  port,
  security: 'none',
  username: null,
  from: 'gateway@example.org',
  to: ['awa@example.org'],
  ...more,
});
const message = messageOf([{ kind: 'opened', alert }], null);
const deadlineMs = 60_000;

/** Creates a channel, and returns what "Send a test" answers. */
async function tried(gateway: TestGateway, channel: object): Promise<{ ok: boolean; answer: string; id: string }> {
  const made = await gateway.manage('POST', '/alerts/channels', channel);
  expect(made.status, made.text).toBe(201);
  const { body } = await gateway.manage('POST', `/alerts/channels/${made.body.data.id}/test`);
  return { ...body.data, id: made.body.data.id };
}

test.each([
  ['tls', { secure: true }],
  ['starttls', { secure: false, disabledCommands: [] as string[] }],
] as const)(
  'a message goes over %s with a login, and only to a server whose certificate is trusted',
  async (security, server) => {
    const { port, mails } = await mailServer({ ...server, authOptional: false });
    const given = { settings: settings({ port }, { security, username: login.user }), password: login.pass };
    const trusted = await sendEmail(given, message, { deadlineMs, ca: certificate });
    expect(trusted).toEqual({ ok: true, answer: '250 Message 1 taken' });
    expect(mails[0]).toMatchObject({ secure: true, user: login.user, subject: '[Passerelle] Warning: It failed.' });

    const stranger = await sendEmail(given, message, { deadlineMs });
    expect(stranger).toEqual({ ok: false, answer: expect.stringMatching(/self-signed certificate/) });
    const wrong = await sendEmail({ ...given, password: 'wrong' }, message, { deadlineMs, ca: certificate });
    expect(wrong).toEqual({ ok: false, answer: expect.stringMatching(/^535 /) });
    expect(mails).toHaveLength(1);
  },
);

test('a server without STARTTLS gets no message if it is required, and none in plain text has a password', async () => {
  const { port, mails } = await mailServer();
  const refused = await sendEmail({ settings: settings({ port }, { security: 'starttls' }), password: null }, message, {
    deadlineMs,
  });
  expect(refused.ok).toBe(false);
  expect(mails).toEqual([]);
  const gateway = await buildTestApp({ demo: false });
  const plain = emailChannel(25, { host: 'mail.example.org', username: 'alerts', password: 'correct horse' });
  const reply = await gateway.manage('POST', '/alerts/channels', plain);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'password_in_plain']);
});

test('a server that hangs, drips, resets or is not there is an answer within the deadline', async () => {
  const sockets: { destroy(): void }[] = [];
  const server = (greet: (socket: import('node:net').Socket) => void) =>
    new Promise<number>((resolve) => {
      const made = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
        greet(socket);
      }).listen(0, '127.0.0.1', () => resolve((made.address() as { port: number }).port));
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
        made.close();
      });
    });
  const answer = async (port: number, limitMs = deadlineMs) =>
    (await sendEmail({ settings: settings({ port }), password: null }, message, { deadlineMs: limitMs })).answer;
  expect(await answer(await server(() => {}), 300)).toMatch(/did not finish within 0\.3 s/);
  const dripping = await server((socket) => setInterval(() => socket.write('2'), 20).unref());
  expect(await answer(dripping, 300)).toMatch(/did not finish/);
  expect(await answer(await server((socket) => socket.resetAndDestroy()))).toMatch(
    /ECONNRESET|closed unexpectedly|Connection closed/i,
  );
  expect(await answer(1)).toMatch(/ECONNREFUSED/);
});

test.each(['169.254.169.254', '0.0.0.0', '224.0.0.1', 'fe80::1', '::ffff:169.254.169.254'])(
  'no mail goes to %s',
  async (host) => {
    const { ok, answer } = await sendEmail({ settings: settings({ port: 25 }, { host }), password: null }, message, {
      deadlineMs,
    });
    expect({ ok, answer }).toEqual({ ok: false, answer: expect.stringContaining('is not allowed') });
  },
);

test('no text in a name or message begins a header or a line of its own', async () => {
  const { port, mails } = await mailServer();
  const nasty = [
    'x\r\nBcc: eve@example.org',
    'x\nSubject: y',
    'x\r\n\r\n<html>',
    'x\u2028Bcc: eve@example.org',
    '=?utf-8?Q?=0D=0ABcc:?=',
  ];
  await forAllAsync(
    { numRuns: 20, examples: nasty.map((text) => [text]) },
    [fc.string({ unit: 'binary', maxLength: 80 })],
    async (text) => {
      const told = messageOf([{ kind: 'opened', alert: { ...alert, message: text } }], 'https://gateway.example.org/console');
      const before = mails.length;
      const { ok, answer } = await sendEmail({ settings: settings({ port }), password: null }, told, { deadlineMs });
      expect([ok, answer]).toEqual([true, `250 Message ${before + 1} taken`]);
      const mail = mails[before];
      expect(mail?.headers.map((line) => line.split(':')[0]?.toLowerCase()).sort()).toEqual(
        [
          'auto-submitted',
          'content-transfer-encoding',
          'content-type',
          'date',
          'from',
          'message-id',
          'mime-version',
          'subject',
          'to',
        ].sort(),
      );
      expect(mail?.to).toEqual(['awa@example.org']);
      expect(mail?.subject.replaceAll(/\s+/g, ' ')).toBe(told.subject.replaceAll(/\s+/g, ' '));
      expect(mail?.body.split('\r\n')[0]).toBe(told.lines[0]?.text);
    },
  );
  expect(oneLine('a\u202eb\u0000c\td')).toBe('a b c d');
});

test('a message without the address of the console has no link', () => {
  expect(message.lines).toEqual([{ text: 'Warning: It failed. Since 1970-01-01 00:00:00 UTC.', link: null }]);
});

test('chats get escaped text: no name becomes a link or calls a channel', () => {
  forAll(100, [fc.string({ unit: 'grapheme' })], (text) => {
    const told = messageOf([{ kind: 'opened', alert: { ...alert, message: `${text}<!channel> @here` } }], null);
    expect(slackText(told)).not.toMatch(/[<>]|@[a-z]/);
  });
});

test('"Send a test" shows the answer of a mail server and of an incoming webhook, and the channel keeps it', async () => {
  const gateway = await buildTestApp({ demo: false });
  const { port, mails } = await mailServer();
  expect(await tried(gateway, emailChannel(port))).toMatchObject({ ok: true, answer: '250 Message 1 taken' });
  expect(mails[0]).toMatchObject({ subject: '[Passerelle] Test of alerts', body: expect.stringContaining('Nothing is wrong.') });

  const good = await receiver((response) => response.end('ok'));
  expect(await tried(gateway, { kind: 'slack', name: 'Chat', credential: good.url })).toMatchObject({
    ok: true,
    answer: '200 ok',
  });
  const body = JSON.parse(good.received[0]?.body ?? '');
  expect(body).toEqual({ text: expect.stringContaining('This is a test of the channel "Chat"') });

  const bad = await receiver((response) => response.writeHead(404).end('no_service'));
  const failed = await tried(gateway, { kind: 'slack', name: 'Old chat', credential: bad.url });
  expect(failed).toMatchObject({ ok: false, answer: '404 no_service' });
  const { data } = (await gateway.manage('GET', '/alerts/channels?kind=slack')).body;
  expect(data[0]).toMatchObject({ id: failed.id, last_answer: '404 no_service', failing_since: expect.any(String) });
});

test('secrets are encrypted, are in no reply, and go to no other server', async () => {
  const gateway = await buildTestApp({ demo: false });
  // A server that repeats what it was sent, and a webhook that repeats its path.
  const mail = await mailServer({ authOptional: false, allowInsecureAuth: true });
  const chat = await receiver((response, { path }) => response.writeHead(400).end(`unknown ${path}`));
  const email = await tried(gateway, emailChannel(mail.port, { username: 'alerts', password: 'wrong-and-secret' }));
  const slack = await tried(gateway, { kind: 'slack', name: 'Chat', credential: `${chat.url}/T000/secret-path` });
  expect(email.answer).toContain('No such login: alerts with [secret]');
  expect(slack.answer).toBe('400 unknown [secret]');

  const replies = await gateway.manage('GET', '/alerts/channels');
  const calls = await gateway.manage('GET', '/calls?limit=100');
  const rows = await gateway.store.list('alert_channels');
  for (const secret of ['wrong-and-secret', 'secret-path']) {
    expect(replies.text).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(calls.text).not.toContain(secret);
  }
  expect(replies.body.data.map((one: { has_secret: boolean }) => one.has_secret)).toEqual([true, true]);

  const elsewhere = await gateway.manage('PATCH', `/alerts/channels/${email.id}`, { port: 2525 });
  expect([elsewhere.status, elsewhere.body.error.code]).toEqual([400, 'needed_again']);
  expect((await gateway.manage('PATCH', `/alerts/channels/${email.id}`, { to: ['kofi@example.org'] })).status).toBe(200);
  expect((await gateway.manage('PATCH', `/alerts/channels/${email.id}`, { username: null, port: 2525 })).body.data).toMatchObject(
    {
      has_secret: false,
      username: null,
      port: 2525,
    },
  );
});

test('another master key: the test says that the secret must be entered again', async () => {
  const gateway = await buildTestApp({ demo: false });
  const { id } = await tried(gateway, { kind: 'slack', name: 'Chat', credential: (await receiver()).url });
  const other = await buildTestApp({ demo: false, store: gateway.store, keys: new Keyring(Buffer.alloc(32)) });
  expect((await other.manage('POST', `/alerts/channels/${id}/test`)).body.data.answer).toMatch(/Enter the secret again/);
});

const publicOnly = { WEBHOOK_LOOPBACK: 'off' };
const refusing = sharedByTests((atEnd) => buildTestApp({ demo: false, settings: publicOnly, atEnd }));

test.each([
  ['a private address', { kind: 'slack', name: 'x', credential: 'https://10.0.0.1/x' }, 'url_not_public'],
  ['plain http', { kind: 'slack', name: 'x', credential: 'http://example.com/x' }, 'url_not_public'],
  ['no URL', { kind: 'slack', name: 'x', credential: 'hooks' }, 'url'],
  ['an address with a line end', emailChannel(25, { to: ['awa@example.org\r\nBcc: eve@example.org'] }), 'invalid_request'],
  ['a name with an address', emailChannel(25, { to: ['Awa <awa@example.org>'] }), 'invalid_request'],
  ['a host with a path', emailChannel(25, { host: 'mail.example.org/x' }), 'invalid_request'],
  ['a user name without a password', emailChannel(25, { username: 'alerts' }), 'with_username'],
  ['an unknown field', emailChannel(25, { subject: 'x' }), 'invalid_request'],
  ['an unknown kind', { kind: 'fax', name: 'x' }, 'invalid_request'],
])('a channel with %s is refused', async (_, channel, code) => {
  const reply = await refusing().manage('POST', '/alerts/channels', channel);
  expect([reply.status, reply.body.error.code], reply.text).toEqual([400, code]);
});

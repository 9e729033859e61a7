import { expect, onTestFinished, test } from 'vitest';
import { skipInterimAnswers } from '../../gateway/base/interim-answers.ts';
import { Sender } from '../../gateway/webhooks/sending/send.ts';
import { forward } from '../../stubs/listen/forward.ts';
import { passerelle } from '../program.ts';
import { startProxy } from './connect-proxy.ts';
import { interimServer } from './interim-server.ts';
import { receiver } from './receiver.ts';

const interim = [
  ['100 Continue'],
  ['100 Continue\r\nX-Of: the proxy'],
  ['102 Processing', '100 Continue', '100 Continue', '103 Early Hints\r\nLink: </a>; rel=preload'],
];

test.each(interim)('a webhook is delivered although %j came before its answer', async (...lines) => {
  const { url, taken } = await interimServer(lines);
  const sender = new Sender({ deadlineMs: 60_000, keptBodyBytes: 1024, allow: { loopback: true } });
  onTestFinished(() => sender.close());
  // The second request has the same connection.
  for (const count of [1, 2]) {
    expect(await sender.post(url, {}, '{"event":"x"}')).toMatchObject({ outcome: 'success', status: 200, body: '{}' });
    expect(taken()).toBe(count);
  }
});

test.each(interim)('a webhook goes through a proxy although %j came before its answer to CONNECT', async (...lines) => {
  const [proxy, { url }] = await Promise.all([startProxy(), receiver()]);
  proxy.interim = lines;
  const sender = new Sender({ deadlineMs: 60_000, keptBodyBytes: 1024, allow: { loopback: true }, proxyUrl: proxy.url });
  onTestFinished(() => sender.abort());
  expect(await sender.post(url, {}, '{}')).toMatchObject({ outcome: 'success' });
  proxy.conduct = () => 403;
  const { port } = new URL(url);
  const refused = await sender.post(`http://127.0.0.2:${port}/`, {}, '{}');
  expect(refused).toMatchObject({ proxyFailed: { status: 403 } });
  proxy.conduct = () => 'is silent';
  const hasty = new Sender({ deadlineMs: 300, keptBodyBytes: 1024, allow: { loopback: true }, proxyUrl: proxy.url });
  onTestFinished(() => hasty.abort());
  expect(await hasty.post(url, {}, '{}')).toMatchObject({ proxyFailed: { status: null } });
});

test.each(interim)('a webhook that listen forwards is answered although %j came before', async (...lines) => {
  const { url } = await interimServer(lines);
  const sent = { rawHeaders: [], headers: {}, body: Buffer.from('{}'), signal: new AbortController().signal };
  expect(await forward(url, sent, 60_000)).toMatchObject({ status: 200, error: null });
});

test('commands read the answer of a stub or gateway after interim ones', async () => {
  const answer = 'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}';
  const { url } = await interimServer(['100 Continue', '103 Early Hints'], answer);
  const at = new URL(url).origin;
  const env = { PASSERELLE_OPERATOR_TOKEN: 'x' };
  for (const command of [['trigger', 'sale.completed'], ['listen']]) {
    const { stderr } = await passerelle([...command, '--at', at], { env });
    expect(stderr).toContain(`${at} is the address of neither a stub nor a gateway`);
  }
});

test.each(interim)("Node's fetch gets the answer after %j", async (...lines) => {
  skipInterimAnswers();
  const { url } = await interimServer(lines);
  expect(await (await fetch(url, { method: 'POST', body: '{}' })).text()).toBe('{}');
});

test('an answer that never comes after an interim one is a timeout', async () => {
  const { url } = await interimServer(['100 Continue'], '');
  const sender = new Sender({ deadlineMs: 300, keptBodyBytes: 1024, allow: { loopback: true } });
  onTestFinished(() => sender.abort());
  expect(await sender.post(url, {}, '{}')).toMatchObject({ outcome: 'timeout', status: null });
});

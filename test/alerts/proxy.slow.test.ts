import { expect, test } from 'vitest';
import { alertRuleNames } from '../../gateway/store/tables/alerts.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { startProxy } from '../webhooks/connect-proxy.ts';
import { receiver } from '../webhooks/receiver.ts';
import { alertedGateway } from './harness.ts';

test('one alert tells that the proxy fails, and that it works again', async () => {
  const port = await freePort();
  const gateway = await alertedGateway({
    settings: { WEBHOOK_PROXY_URL: `http://egress:s3cr3t@127.0.0.1:${port}` },
  });
  for (const rule of alertRuleNames)
    await gateway.manage('PUT', `/alerts/rules/${rule}`, rule === 'queue_down' ? {} : { enabled: false });
  const receivers = await Promise.all([receiver(), receiver()]);
  for (const { url } of receivers) {
    const { body } = await gateway.manage('POST', '/endpoints', { service: 'pos', url });
    await gateway.manage('POST', `/endpoints/${body.data.id}/test`, { event_type: 'sale.completed' });
  }
  await eventually(async () => {
    const { body } = await gateway.call('GET', '/readyz');
    expect(body).toMatchObject({
      status: 'ready',
      degraded: { proxy: expect.stringMatching(/^The proxy 127\.0\.0\.1:\d+ failed: /) },
    });
  });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.body).toMatch(
    /The proxy for webhooks does not answer\. All deliveries wait, and no receiver is charged\./,
  );

  await startProxy(port);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  expect(gateway.mails[1]?.body).toMatch(/Webhooks get through the proxy again\./);
  expect(receivers.map(({ received }) => received.length)).toEqual([1, 1]);
  const { data } = (await gateway.manage('GET', '/alerts')).body;
  expect(data).toMatchObject([{ rule: 'queue_down', subject: 'proxy', case: null, state: 'resolved' }]);
  expect(JSON.stringify([gateway.mails, data])).not.toContain('s3cr3t');
});

import { expect, test } from 'vitest';
import { manage, operatorToken, register } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';

inBrowser('roles', () => {
  test('a viewer sees everything and can change nothing', async () => {
    const gateway = await emptyGateway();
    const { url } = await receiver();
    const endpointId = await register(gateway, url);
    const made = await manage(gateway, 'POST', '/operators', { name: 'Koffi', role: 'viewer' });

    const viewing = await visit(gateway, { path: `/endpoints/${endpointId}`, credential: made.body.data.credential });
    const send = viewing.getByRole('button', { name: 'Send test event', exact: true });
    await send.waitFor();
    for (const name of ['Send test event', 'Retry now', 'More'])
      expect(await viewing.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
    await send.locator('..').hover();
    await viewing.getByText('Viewers cannot change anything').waitFor();
    // The API refuses it too, not only the button.
    const status = await viewing.evaluate(
      `fetch('/manage/v1/endpoints/${endpointId}', { method: 'DELETE', headers: { 'x-passerelle-console': '1' } }).then((reply) => reply.status)`,
    );
    expect(status).toBe(403);
  });

  test('a request without the console header is refused, so another site cannot use the session (CSRF)', async () => {
    const gateway = await emptyGateway();
    const page = await visit(gateway, { credential: operatorToken });
    const post = (headers: string) =>
      page.evaluate(
        `fetch('/manage/v1/cohesion/plans', { method: 'POST', headers: ${headers}, body: '{"annee": 2031}' }).then((reply) => reply.status)`,
      );
    expect(await post(`{ 'content-type': 'application/json' }`)).toBe(403);
    expect(await post(`{ 'content-type': 'application/json', 'x-passerelle-console': '1' }`)).toBe(201);
  });
});

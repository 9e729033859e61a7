import { expect, test } from 'vitest';
import { emptyGateway, inBrowser, signIn, visit } from './console.ts';

inBrowser('signing in', () => {
  test('a wrong credential is refused, and locked for a while after ten tries; the right one signs in', async () => {
    const gateway = await emptyGateway();
    const page = await visit(gateway);
    const tryOnce = async () => {
      await page.getByLabel('Credential').fill('op_not_the_right_one');
      const answered = page.waitForResponse((reply) => reply.url().endsWith('/session') && reply.request().method() === 'POST');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      return (await answered).status();
    };
    expect(await tryOnce()).toBe(401);
    await page.getByText('No operator has this credential').waitFor();
    for (let tries = 1; tries < 10; tries += 1) expect(await tryOnce()).toBe(401);
    expect(await tryOnce()).toBe(429);
    await page.getByText(/Try again in \d+ s/).waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await signIn(page, gateway.greeting.operator.token);
  });

  test('an ended session says so, and signing in again returns to the same page', async () => {
    const gateway = await emptyGateway();
    const { token } = gateway.greeting.operator;
    const made = await gateway.call('POST', '/manage/v1/operators', { token, body: { name: 'Awa', role: 'operator' } });
    const page = await visit(gateway, { path: '/deliveries?status=failed', credential: made.body.data.credential });
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();

    // Changing the role ends the session. The next request shows it.
    await gateway.call('PATCH', `/manage/v1/operators/${made.body.data.id}`, { token, body: { role: 'viewer' } });
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('Credential').waitFor();
    await signIn(page, made.body.data.credential);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/deliveries?status=failed');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  });
});

import { expect, test } from 'vitest';
import { manage, operatorToken } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { inBrowser, visit } from './console.ts';
import { addEndpoint, demoGateway, visitProfile } from './partner-page.ts';

inBrowser('the words of the profile', () => {
  test('a refused verification fits a phone, names no API call, and leads to the comparison', async () => {
    const { gateway, account } = await demoGateway();
    const hook = await receiver((response) => response.writeHead(401).end(`{"error":"${'wrong signature '.repeat(8)}"}`));
    const page = await visitProfile(gateway, { signIn: account, path: '/endpoints' });
    await addEndpoint(page, hook.url);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Verify now', exact: true }).click();
    const failure = page.getByRole('status').filter({ hasText: 'The endpoint is not verified' });
    await failure.getByText('The receiver answered 401 instead of 2xx.').waitFor();
    expect(await failure.textContent()).not.toContain('/profile/v1');
    const ends = `[...document.querySelectorAll('[role=status] *')].map((one) => one.getBoundingClientRect().right)`;
    expect(await page.evaluate(`Math.max(...${ends})`)).toBeLessThanOrEqual(390);
    await failure.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: 'Compare with attempt 1', exact: true }).waitFor();
  });

  test('a test event is marked, also for operators; a removed endpoint gets nothing again', async () => {
    const { gateway, account } = await demoGateway();
    const hook = await receiver();
    const page = await visitProfile(gateway, { signIn: account, path: '/endpoints' });
    await addEndpoint(page, hook.url);
    await page.getByRole('button', { name: 'Verify now', exact: true }).click();
    await page.getByText('The endpoint is verified.').waitFor();
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'delivered' });
    await row.getByTitle('A test event: nothing happened.').waitFor();
    const operators = await visit(gateway, { path: '/deliveries', credential: operatorToken });
    await operators.getByRole('row').getByTitle('A test event: nothing happened.').waitFor();
    await row.getByRole('link').click();
    await page.getByRole('button', { name: /^Resend/ }).waitFor();
    const delivery = page.url();
    await page.getByRole('link', { name: hook.url }).click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No endpoints yet').waitFor();
    await page.goto(delivery);
    await page.getByText('(deleted)').waitFor();
    expect(await page.getByRole('button', { name: /^Resend/ }).count()).toBe(0);
  });

  test('a user of social cohesion reads of structures, not of stores', async () => {
    const { gateway, user } = await demoGateway();
    const { url } = await receiver();
    const { body } = await gateway.call('POST', '/profile/v1/endpoints', { token: user.token, body: { url } });
    await gateway.call('POST', `/profile/v1/endpoints/${body.data.id}/verify`, { token: user.token });
    const page = await visitProfile(gateway, { signIn: user, path: '/deliveries' });
    await page.getByRole('columnheader', { name: 'Structure', exact: true }).waitFor();
  });

  test('an endpoint that an operator switched off is not offered to be resumed', async () => {
    const { gateway, account } = await demoGateway();
    const hook = await receiver();
    const page = await visitProfile(gateway, { signIn: account, path: '/endpoints' });
    await addEndpoint(page, hook.url);
    await page.getByText('not verified', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Verify now', exact: true }).click();
    await page.getByText('The endpoint is verified.').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).first().click();
    await page.getByRole('button', { name: 'Resume', exact: true }).first().waitFor({ state: 'hidden' });
    expect((await manage(gateway, 'PATCH', `/endpoints/${id}`, { active: false })).status).toBe(200);
    await page.getByText('Only an operator can resume it: ask them.').waitFor();
    expect(await page.getByRole('button', { name: 'Resume', exact: true }).count()).toBe(0);
  });

  test('a sign-out in another tab is the reason that the sign-in page gives', async () => {
    const { gateway, account } = await demoGateway();
    const first = await visitProfile(gateway, { signIn: account, path: '/deliveries' });
    const second = await first.context().newPage();
    await second.goto(`${gateway.greeting.url}/profile`);
    await second.getByRole('button', { name: /^Signed in as/ }).click();
    await second.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await second.getByRole('heading', { level: 1, name: 'Sign in to your profile' }).waitFor();
    await first.getByText('You signed out in another tab').waitFor();
    expect(await second.getByText('You signed out in another tab').count()).toBe(0);
  });

  test('what is wrong with a field is in French on the French page', async () => {
    const { gateway, account } = await demoGateway();
    const page = await visitProfile(gateway, { signIn: account, path: '/endpoints', locale: 'fr-FR' });
    await page.getByRole('button', { name: 'Ajouter un endpoint', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'Adresse (URL)', exact: true }).fill('http://192.0.2.1/hook');
    await page.getByRole('dialog').getByRole('button', { name: 'Ajouter', exact: true }).click();
    const error = page.locator('.mantine-InputWrapper-error');
    expect(await error.textContent()).toBe(
      'Les livraisons ne vont pas à cette adresse. Donnez une URL https à une adresse publique.',
    );
  });

  test('a partner whose browser prefers French gets French; the switch changes to English, and that is remembered', async () => {
    const { gateway, account } = await demoGateway();
    const page = await visitProfile(gateway, { signIn: account, locale: 'fr-FR' });
    const inEnglish = page.getByRole('navigation', { name: 'Pages', exact: true });
    const toEnglish = page.getByRole('button', { name: 'English', exact: true });
    await toEnglish.waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('fr');

    await toEnglish.click();
    await inEnglish.waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.reload();
    await inEnglish.waitFor();

    await page.getByRole('button', { name: 'Français', exact: true }).click();
    await toEnglish.waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('fr');
  });
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { abilityNames } from '../../gateway/store/tables/cohesion.ts';
import { emailChannel } from '../alerts/harness.ts';
import { type Mail, mailServer } from '../alerts/mail-server.ts';
import { type Reply, type Served, until } from '../e2e/process.ts';
import { profileHeaders } from '../profile/harness.ts';
import { manage, operatorToken } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';
import { addEndpoint, type PartnerVisit, visitProfile } from './partner-page.ts';

const sale = {
  store_id: 'MAG-ADJAME',
  items: [{ product_id: 'RIZ-25', quantity: 1, price: 100 }],
  payment_method: 'cash',
  customer_phone: '+22507010203',
  total: 100,
};
const storeName = 'Magasin d’Adjamé';
const structureName = 'Comité de Korhogo';

/** Creates or moves something with the operator's API. */
async function make(gateway: Served, path: string, body?: unknown): Promise<Reply> {
  const { status, body: reply } = await manage(gateway, 'POST', path, body);
  expect([path, Math.floor(status / 100), reply.error]).toEqual([path, 2, undefined]);
  return reply.data;
}

/** A point-of-sale account with a shop of its own, and the key that an operator gave it. */
async function openAccount(gateway: Served) {
  await make(gateway, '/pos/stores', { id: sale.store_id, name: storeName, city: 'Abidjan' });
  const product = { product_id: 'RIZ-25', name: 'Riz', category: 'Vivres', price: 100, quantity: 1000, low_threshold: 1 };
  await make(gateway, `/pos/stores/${sale.store_id}/products`, product);
  const account = await make(gateway, '/pos/accounts', { name: 'Épicerie Adjamé', plan: 'pro', store_ids: [sale.store_id] });
  const { api_key, api_secret } = await make(gateway, `/pos/accounts/${account.id}/keys`);
  return { owner: `account:${account.id}`, name: account.name as string, signIn: { key: api_key, secret: api_secret } };
}

/** A user with a structure of its own, and the token that an operator gave it. */
async function openUser(gateway: Served) {
  const structure = await make(gateway, '/cohesion/structures', { nom: structureName, type: 'association', region: 'Poro' });
  const fields = { name: 'Mariam Koné', email: 'mariam@example.org', role: 'gestionnaire', structure_ids: [structure.id] };
  const user = await make(gateway, '/cohesion/users', fields);
  const { token } = await make(gateway, `/cohesion/users/${user.id}/tokens`, {
    name: 'Premier',
    abilities: abilityNames,
    structure_ids: null,
  });
  return { owner: `user:${user.id}`, name: fields.name, signIn: { token: token as string }, structureId: structure.id as number };
}

interface Browsing {
  page: Page;
  /** Everything that the browser sent, got and showed so far. */
  seen(): Promise<string>;
  /** Goes to a page by its link. What the page before showed is part of what was seen. */
  to(name: string): Promise<void>;
}

/** Notes the requests of a page, their replies, and the text of each page that is left. */
function browsing(page: Page): Browsing {
  const notes: Promise<string>[] = [];
  const isData = (type: string) => type === 'fetch' || type === 'xhr' || type === 'document';
  page.on('request', (request) => {
    if (isData(request.resourceType())) notes.push(Promise.resolve(`${request.url()} ${request.postData() ?? ''}`));
  });
  // A reply without a body, or of a page that was left, has no text.
  page.on('response', (response) => {
    if (isData(response.request().resourceType())) notes.push(response.text().catch(() => ''));
  });
  const show = () => notes.push(page.content());
  return {
    page,
    async seen() {
      show();
      return (await Promise.all(notes)).join('\n');
    },
    async to(name) {
      show();
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    },
  };
}

const signedIn = async (gateway: Served, signIn: PartnerVisit['signIn']) => browsing(await visitProfile(gateway, { signIn }));

/** Adds an endpoint, verifies it, and returns its id. */
async function addVerified({ page, to }: Browsing, url: string): Promise<string> {
  await to('Webhooks');
  expect(await addEndpoint(page, url)).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Verify now', exact: true }).click();
  await page.getByText('The endpoint is verified.').waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** The listed deliveries of events about a store or structure. The test that verified the endpoint is about none. */
const deliveredAbout = (page: Page, about: string) =>
  page.getByRole('row').filter({ hasText: about }).filter({ hasText: 'delivered' });

/** Opens the partner's delivered event of this type. Returns the delivery's id. */
async function openDelivered({ page, to }: Browsing, type: string, about: string): Promise<string> {
  await to('Deliveries');
  await deliveredAbout(page, about).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: type }).waitFor();
  await page.getByRole('link', { name: /^Attempt 1/ }).waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Every text that belongs to one partner alone, as the operator's API knows it. */
async function marksOf(gateway: Served, { owner, name }: { owner: string; name: string }): Promise<string[]> {
  const read = async (path: string) => (await manage(gateway, 'GET', path)).body.data as Reply[];
  const partner = encodeURIComponent(name);
  const [endpoints, deliveries, calls] = await Promise.all(
    ['endpoints', 'deliveries', 'calls'].map((list) => read(`/${list}?partner=${partner}&limit=100`)),
  );
  const ids = [endpoints, deliveries, calls].map((rows = []) => {
    expect(rows).not.toEqual([]);
    return rows.map(({ id }) => id as string);
  });
  const events = deliveries?.map(({ event_id }) => event_id as string) ?? [];
  return [owner, name, ...ids.flat(), ...events, ...(endpoints?.map(({ url }) => url as string) ?? [])];
}

/** The gateway sends the mails of partners, too, through this server. */
async function sendMails(gateway: Served, port: number): Promise<void> {
  await make(gateway, '/alerts/channels', emailChannel(port, { to: ['on-call@example.org'], for_partners: true }));
}

/** Adds an address of the partner, and confirms it with the code that is sent there. */
async function addAddress(gateway: Served, { page }: Browsing, address: string, mails: Mail[]): Promise<void> {
  const post = async (method: string, path: string, data: object) => {
    const reply = await page.request.fetch(`${gateway.greeting.url}/profile/v1${path}`, {
      method,
      data,
      headers: profileHeaders,
    });
    expect([path, reply.ok(), await reply.text()]).toEqual([path, true, expect.any(String)]);
  };
  await post('PUT', '/alerts/address', { address });
  const mail = await until(async () => mails.find(({ to }) => to.includes(address)));
  const [, secret_code] = /\b([2-9A-HJKMNP-Z]{8})\b/.exec(mail.body) ?? [];
  await post('POST', '/alerts/address/confirm', { secret_code });
}

const among = (text: string, marks: readonly string[]) => marks.filter((mark) => text.includes(mark));

/** Shows what an operator sees of one partner in a list, found by the partner's name. */
async function filteredBy(page: Page, list: string, name: string): Promise<void> {
  await page.getByRole('link', { name: list, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: list }).waitFor();
  const [field, more] = [page.getByLabel('Partner'), page.getByRole('button', { name: 'More filters', exact: true })];
  await field.or(more).first().waitFor();
  if (!(await field.isVisible())) await more.click();
  await field.fill(name);
  await page.waitForURL((url) => url.searchParams.get('partner') === name);
  await page.getByRole('row').filter({ hasText: name }).first().waitFor();
}

inBrowser('two partners and an operator', () => {
  test('each partner sets itself up and sees its own alone; one repairs its receiver and retries what it is owed; the operator sees both by name', async () => {
    // One failed attempt makes a dead letter, to keep the test short.
    const gateway = await emptyGateway({ WEBHOOK_RETRY_SECONDS: '0', PUBLIC_URL: 'https://gateway.example.org' });
    const { port, mails } = await mailServer();
    await sendMails(gateway, port);
    const [account, user] = [await openAccount(gateway), await openUser(gateway)];
    let isGone = false;
    const till = await receiver((response) => response.writeHead(isGone ? 410 : 200).end(isGone ? 'the till has moved' : 'ok'));
    const dashboard = await receiver();
    const [shop, mariam] = [await signedIn(gateway, account.signIn), await signedIn(gateway, user.signIn)];

    // The account creates a key, an endpoint, and sells.
    await shop.to('API keys');
    await shop.page.getByRole('button', { name: 'New key', exact: true }).click();
    const made = (await shop.page.getByText(/^api_key: /).textContent()) ?? '';
    const [, api_key = '', api_secret = ''] = /api_key: (\S+)\s+api_secret: (\S+)/.exec(made) ?? [];
    await shop.page.getByRole('button', { name: 'I have copied it', exact: true }).click();
    const tillEndpoint = await addVerified(shop, `${till.url}/of-the-till`);
    const { token: posToken } = (await gateway.call('POST', '/pos/api/auth', { body: { api_key, api_secret } })).body;
    const sell = async () => {
      const { status, body } = await gateway.call('POST', '/pos/api/v1/sales', { token: posToken, body: sale });
      expect(status).toBe(201);
      return body.data.reference as string;
    };
    const firstSale = await sell();
    await addAddress(gateway, shop, 'till@example.org', mails);

    // The user creates a token and an endpoint, and writes a financing. Its event is an intervention that is validated.
    await mariam.to('Access tokens');
    await mariam.page.getByRole('button', { name: 'New token', exact: true }).click();
    await mariam.page.getByLabel('Name').fill('Le tableau de Mariam');
    await mariam.page.getByLabel('write:financements').check();
    await mariam.page.getByRole('dialog').getByRole('button', { name: 'New token', exact: true }).click();
    const token = (await mariam.page.getByText(/^\d+\|[\w-]+/).textContent()) ?? '';
    await mariam.page.getByRole('button', { name: 'I have copied it', exact: true }).click();
    await addVerified(mariam, `${dashboard.url}/of-mariam`);
    const financing = {
      structure_id: user.structureId,
      exercice: 2026,
      bailleur: 'Banque mondiale',
      type: 'bailleur',
      intitule: 'Appui aux comités',
      montant: 25_000_000,
      statut: 'promis',
    };
    const written = await gateway.call('POST', '/cohesion/api/v1/financements', { token, body: financing });
    expect(written.status).toBe(201);
    const intervention = await make(gateway, '/cohesion/interventions', {
      reference: 'INT-KORHOGO',
      intitule: 'Dialogue de Korhogo',
      structure_id: user.structureId,
      annee: 2026,
    });
    await make(gateway, `/cohesion/interventions/${intervention.id}/publish`);
    const validated_by = Number(user.owner.slice('user:'.length));
    await make(gateway, `/cohesion/interventions/${intervention.id}/validate`, { validated_by });

    // Each sees its own delivery and call.
    const shopDelivery = await openDelivered(shop, 'sale.completed', storeName);
    await shop.page.getByText(firstSale).first().waitFor();
    const mariamDelivery = await openDelivered(mariam, 'intervention.validated', structureName);
    await mariam.page.getByText('INT-KORHOGO').first().waitFor();
    for (const [{ page, to }, path] of [
      [shop, '/sales'],
      [mariam, '/financements'],
    ] as const) {
      await to('Calls');
      await page.getByRole('row').filter({ hasText: path }).filter({ hasText: '201' }).getByRole('link').first().click();
      await page.getByText('POST').first().waitFor();
    }
    expect(till.received.filter(({ body }) => body.includes(firstSale))).toHaveLength(1);
    expect(dashboard.received.filter(({ body }) => body.includes('INT-KORHOGO'))).toHaveLength(1);

    // The shop breaks its receiver: one sale fails, and the next ones are skipped.
    isGone = true;
    const owed = [await sell()];
    const told = (what: RegExp) =>
      until(async () => mails.find(({ to, body }) => to.includes('till@example.org') && what.test(body.replaceAll(/\s+/g, ' '))));
    const mail = await told(/disabled/);
    owed.push(await sell(), await sell());
    await until(async () => (await manage(gateway, 'GET', '/deliveries?status=skipped')).body.data.length === 2);
    const [, link = ''] = /https:\/\/gateway\.example\.org(\/profile\/endpoints\/\S+)/.exec(mail.body) ?? [];
    await shop.page.goto(`${gateway.greeting.url}${link}`);
    await shop.page.getByText('answered 410 Gone, so it was disabled').first().waitFor();

    // It repairs the receiver, and retries what it is owed: first it sees how many.
    isGone = false;
    await shop.page.getByRole('button', { name: 'Resume', exact: true }).first().click();
    await shop.page.getByRole('button', { name: 'Send test event', exact: true }).waitFor();
    await shop.to('Deliveries');
    await shop.page.getByRole('button', { name: 'Retry everything owed', exact: true }).click();
    await shop.page.getByRole('button', { name: `Retry ${owed.length} deliveries now`, exact: true }).click();
    await shop.page.getByText('all were delivered').waitFor();
    for (const reference of owed) expect(till.received.filter(({ body }) => body.includes(reference))).not.toEqual([]);
    await shop.page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.poll(() => deliveredAbout(shop.page, storeName).count()).toBe(1 + owed.length);

    await told(/is active again/);
    expect(mails.filter(({ to, body }) => to.includes('mariam@example.org') || body.includes(dashboard.url))).toEqual([]);

    // Nothing that a partner's browser sent, got or showed names the other.
    const marks = [await marksOf(gateway, account), await marksOf(gateway, user)] as const;
    const only = [
      [...marks[0], api_key, firstSale, sale.store_id, storeName, tillEndpoint],
      [...marks[1], 'Le tableau de Mariam', 'INT-KORHOGO', structureName, 'mariam@example.org'],
    ] as const;
    const seen = [await shop.seen(), await mariam.seen()] as const;
    expect(among(seen[0], only[1])).toEqual([]);
    expect(among(seen[1], only[0])).toEqual([]);
    // The search finds what is there.
    expect(among(seen[0], only[0])).toEqual(expect.arrayContaining([account.owner, account.name, shopDelivery, firstSale]));
    expect(among(seen[1], only[1])).toEqual(expect.arrayContaining([user.owner, user.name, mariamDelivery, structureName]));

    // What a partner asks for by the other's ids does not exist.
    for (const [{ page }, path] of [
      [shop, `/deliveries/${mariamDelivery}`],
      [mariam, `/deliveries/${shopDelivery}`],
      [mariam, `/endpoints/${tillEndpoint}`],
    ] as const) {
      await page.goto(`${gateway.greeting.url}/profile${path}`);
      await page.getByRole('alert').filter({ hasText: 'Not found' }).waitFor();
      expect(among(await page.content(), [till.url, dashboard.url])).toEqual([]);
    }

    // The operator finds both by their names.
    const operator = await visit(gateway, { credential: operatorToken });
    for (const [{ name }, url] of [
      [account, till.url],
      [user, dashboard.url],
    ] as const) {
      const other = name === account.name ? user.name : account.name;
      await filteredBy(operator, 'Endpoints', name);
      await operator.getByRole('row').filter({ hasText: url }).waitFor();
      for (const list of ['Deliveries', 'Calls']) await filteredBy(operator, list, name);
      expect(await operator.getByRole('row').filter({ hasText: other }).count()).toBe(0);
    }
  }, 900_000);
});

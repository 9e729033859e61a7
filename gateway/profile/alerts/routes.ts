import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listAlerts, messagesOf } from '../../alerts/alerts.ts';
import { addressedTo, partnersServer } from '../../alerts/dispatch.ts';
import {
  addAddress,
  changeSettings,
  checkCode,
  codeMinutes,
  confirmAddress,
  dropRefused,
  isSameMailbox,
  mostAddresses,
  readAddresses,
  removeAddress,
} from '../../alerts/partners/addresses.ts';
import { ownAddressId, type Reached, reachedOf } from '../../alerts/partners/recipients.ts';
import { confirmation, partnerTest } from '../../alerts/partners/texts.ts';
import type { SendThrough } from '../../alerts/send.ts';
import type { Message } from '../../alerts/texts.ts';
import { invalid, Refusal } from '../../base/errors.ts';
import type { App, LimitRule } from '../../http/api.ts';
import { text } from '../../http/fields.ts';
import { listQuery, pageOf, pagesOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { answerView } from '../../manage/alerts/shapes.ts';
import { refused } from '../../manage/refusals.ts';
import { idParams } from '../../manage/webhooks/views.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { callerOf } from '../caller.ts';
import type { ProfileServices } from '../services.ts';
import { refuseOthers, refuseWeakTokens } from '../webhooks/own.ts';
import { addressView, forPartners, settingsPatch, settingsView, told, viewAddress, viewSettings, viewTold } from './shapes.ts';

export interface ProfileAlertOptions {
  send: SendThrough;
  /** The profile's address; null if it is not known. */
  profileUrl(): string | null;
}

const tags = ['Alerts'];
const ownerOf = (request: FastifyRequest): Partner => callerOf(request).owner;

/** Codes go to addresses that nobody has vouched for, so that a partner must not send many of them. */
const codeLimit: LimitRule = { name: 'alert-codes', windowMs: 24 * 3_600_000, max: 10, per: 'partner', key: ownerOf };
const testLimit: LimitRule = { ...codeLimit, name: 'alert-tests', windowMs: 600_000, max: 5 };
/** Beside the few tries of each code. */
const tryLimit: LimitRule = { ...codeLimit, name: 'alert-code-tries', windowMs: 600_000, max: 20 };

/** SMTP replies that are about the mailbox, and final. Others, such as a refused login, are about the operator's server. */
const refusesMailbox = /^55[0-3]\b/;

/** A partner's alerts by e-mail: what is sent where, in which language, and what was sent. */
export function profileAlertRoutes(app: App, services: ProfileServices, options: ProfileAlertOptions): void {
  app.register(async (own) => {
    // Messages name endpoints and credentials, and a leaked token must not lead them elsewhere.
    refuseWeakTokens(own);
    refuseOthers(own, services.store);
    settingsRoutes(own, services);
    addressRoute(own, services, options);
    removalRoute(own, services);
    confirmingRoutes(own, services);
    testRoute(own, services, options);
    historyRoute(own, services);
  });
}

/** The server that sends the messages of partners, if the operator has set one up. */
const serverIn = async (rows: Rows) => partnersServer(await rows.list('alert_channels', { where: { for_partners: true } }));

/** Throws a conflict without a server. */
async function neededServer(rows: Rows): Promise<Row<'alert_channels'>> {
  const server = await serverIn(rows);
  if (server) return server;
  throw new Refusal(
    'conflict',
    'no_mail_server',
    'The operator has set up no mail server for partners, so nothing can be sent. Ask the operator.',
  );
}

/** The caller's partner, and how it wants to be told. It is active. */
async function callerIn(rows: Rows, request: FastifyRequest): Promise<Reached> {
  const owner = ownerOf(request);
  return (await reachedOf(rows, [owner])).get(owner) as Reached;
}

async function shownSettings(rows: Rows, request: FastifyRequest) {
  const [server, partner, addresses] = await Promise.all([
    serverIn(rows),
    callerIn(rows, request),
    readAddresses(rows, ownerOf(request)),
  ]);
  return viewSettings({ available: server !== undefined, partner, addresses });
}

/** Sends a message to one address through the server for partners. */
async function sendTo(send: SendThrough, server: Row<'alert_channels'>, address: string, message: Message) {
  const { ok, answer } = await send(addressedTo(server, address), message);
  return { ok, answer: forPartners(answer) };
}

function settingsRoutes(app: App, { store, change }: ProfileServices): void {
  const route = routesOf(app, tags);
  route('GET /alerts', {
    operationId: 'readProfileAlerts',
    summary: 'Which alerts are sent to you by e-mail, and where',
    description:
      'An endpoint that is held, disabled or recovers; a token, an API key or an unconfirmed signing secret that ends, 7 days and 1 day before or at once if less time is left.',
    data: settingsView,
    handler: async (request) => shownSettings(store, request),
  });
  route('PATCH /alerts', {
    operationId: 'updateProfileAlerts',
    summary: 'Choose kinds and language; what is not sent stays unchanged',
    body: settingsPatch,
    data: settingsView,
    handler: async (request) => {
      const { language, kinds, own_address } = request.body;
      if (own_address !== undefined && (await callerIn(store, request)).ownAddress === null)
        throw invalid(
          'own_address',
          'no_own_address',
          'The operator has no address of yours. Add one: POST /profile/v1/alerts/addresses.',
        );
      await change((step) => changeSettings(step, ownerOf(request), { language, on: { ...kinds, own_address } }));
      return shownSettings(store, request);
    },
  });
}

function addressRoute(app: App, { store, change }: ProfileServices, { send, profileUrl }: ProfileAlertOptions): void {
  const route = routesOf(app, tags);
  route('POST /alerts/addresses', {
    operationId: 'addProfileAlertAddress',
    summary: 'Add an address, to which a code is sent',
    description:
      `Alerts are sent there once the code came back (\`confirmProfileAlertAddress\`), within ${codeMinutes} minutes. For an address that waits for its ` +
      `code, another one is sent. At most ${mostAddresses} addresses and 10 codes a day. Refused with \`no_mail_server\` if the operator has set up none, ` +
      'and with `address_refused` if the mail server takes nothing to the address, which is not added then.',
    body: z.strictObject({ address: z.email('must be an e-mail address, such as awa@example.org').max(254) }),
    created: addressView.extend({ sent: answerView.describe('How the mail server took the message with the code.') }),
    config: { limits: [codeLimit] },
    handler: async (request) => {
      const { address } = request.body;
      const server = await neededServer(store);
      const partner = await callerIn(store, request);
      if (partner.ownAddress !== null && isSameMailbox(partner.ownAddress, address))
        throw new Refusal(
          'conflict',
          'address_known',
          `${address} is the address that the operator has of you. Turn it on with \`own_address\`.`,
        );
      const { row, code } = await change((step) => addAddress(step, partner.owner, address));
      const message = confirmation(partner, code, row.code_expires_at, profileUrl());
      const sent = await sendTo(send, server, address, message);
      if (!sent.ok && refusesMailbox.test(sent.answer)) {
        await change((step) => dropRefused(step, partner.owner, row.id));
        throw new Refusal(
          'conflict',
          'address_refused',
          `The mail server takes no messages to ${address}: ${sent.answer}. It was not added. Check the address.`,
        );
      }
      return { ...viewAddress(row), sent };
    },
  });
}

function removalRoute(app: App, { change }: ProfileServices): void {
  const route = routesOf(app, tags);
  route('DELETE /alerts/addresses/:id', {
    operationId: 'removeProfileAlertAddress',
    summary: 'Remove an address; nothing more is sent there',
    params: idParams,
    data: addressView,
    handler: async (request) => viewAddress(await change((step) => removeAddress(step, ownerOf(request), request.params.id))),
  });
}

function confirmingRoutes(app: App, { store, change, clock }: ProfileServices): void {
  const route = routesOf(app, tags);
  route('POST /alerts/addresses/:id/confirm', {
    operationId: 'confirmProfileAlertAddress',
    summary: 'Confirm an address with the code that was sent there',
    description:
      'A code can be used once. After 5 wrong ones (400 `wrong_code`), or when it has expired (409 `code_ended`), add the address again.',
    params: idParams,
    body: z.strictObject({ secret_code: text(40).describe('The code of the message. Records hide it because of its name.') }),
    data: addressView,
    config: { limits: [tryLimit] },
    handler: async (request) => {
      const { id } = request.params;
      const owner = ownerOf(request);
      const code = request.body.secret_code;
      await checkCode(store, owner, id, code, clock.now());
      return viewAddress(await change((step) => confirmAddress(step, owner, id, code)));
    },
  });
}

function testRoute(app: App, { store, clock }: ProfileServices, { send, profileUrl }: ProfileAlertOptions): void {
  const route = routesOf(app, tags);
  route('POST /alerts/test', {
    operationId: 'testProfileAlerts',
    summary: "Send a test to each of your addresses, and return the mail server's answers",
    description:
      'Refused with `no_address` if no address is confirmed and on, and with `no_mail_server` if the operator has set up none.',
    data: z.array(answerView.extend({ address: z.string() })),
    refusals: { 409: refused },
    config: { limits: [testLimit] },
    handler: async (request) => {
      const server = await neededServer(store);
      const partner = await callerIn(store, request);
      if (partner.addresses.length === 0)
        throw new Refusal(
          'conflict',
          'no_address',
          'No address is confirmed and on. Add one: POST /profile/v1/alerts/addresses.',
        );
      const message = partnerTest(partner, clock.now(), profileUrl());
      const sent = partner.addresses.map(async ({ address }) => ({
        address,
        ...(await sendTo(send, server, address, message)),
      }));
      return Promise.all(sent);
    },
  });
}

function historyRoute(app: App, { store, clock }: ProfileServices): void {
  const route = routesOf(app, tags);
  route('GET /alerts/messages', {
    operationId: 'listProfileAlertMessages',
    summary: 'Your alerts with what was sent where, newest first',
    querystring: listQuery(pagesOf('alt')),
    reply: pageOf(told),
    handler: async (request) => {
      const owner = ownerOf(request);
      const { data, next } = await listAlerts(store, { ...request.query, owner, now: clock.now() });
      const [messages, { language, ownAddress }, added] = await Promise.all([
        messagesOf(store, data),
        callerIn(store, request),
        readAddresses(store, owner),
      ]);
      const addresses = new Map(added.map(({ id, address }) => [id, address]));
      if (ownAddress !== null) addresses.set(ownAddressId(owner), ownAddress);
      return { data: data.map((alert) => viewTold(alert, messages.get(alert.id) ?? [], { language, addresses })), next };
    },
  });
}

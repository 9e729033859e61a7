import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listAlerts } from '../../alerts/alerts.ts';
import { addressedTo, partnersServer } from '../../alerts/dispatch.ts';
import { messagesOf } from '../../alerts/messages.ts';
import {
  activePartners,
  checkCode,
  codeMinutes,
  confirmAddress,
  readAddress,
  removeAddress,
  setAddress,
} from '../../alerts/partners/addresses.ts';
import { confirmation } from '../../alerts/partners/texts.ts';
import type { SendThrough } from '../../alerts/send.ts';
import { Refusal } from '../../base/errors.ts';
import type { App, LimitRule } from '../../http/api.ts';
import { text } from '../../http/fields.ts';
import { listQuery, pageOf, pagesOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { callerOf } from '../caller.ts';
import type { ProfileServices } from '../services.ts';
import { refuseWeakTokens } from '../webhooks/own.ts';
import { addressFields, addressView, changedAddress, forPartners, settingsView, told, viewAddress, viewTold } from './shapes.ts';

export interface ProfileAlertOptions {
  send: SendThrough;
  /** The profile's address; null if it is not known. */
  profileUrl(): string | null;
}

const tags = ['Alerts'];
const ownerOf = (request: FastifyRequest): Partner => callerOf(request).owner;

/** Codes go to addresses that nobody has vouched for, so that a partner must not send many of them. */
const codeLimit: LimitRule = { name: 'alert-codes', windowMs: 24 * 3_600_000, max: 10, per: 'partner', key: ownerOf };
/** Beside the few tries of each code. */
const tryLimit: LimitRule = { ...codeLimit, name: 'alert-code-tries', windowMs: 600_000, max: 20 };

/** SMTP replies that are about the mailbox, and final. Others, such as a refused login, are about the operator's server. */
const refusesMailbox = /^55[0-3]\b/;

/** A partner's alerts by e-mail: the address that they go to, and what was sent. */
export function profileAlertRoutes(app: App, services: ProfileServices, options: ProfileAlertOptions): void {
  app.register(async (own) => {
    // Messages name endpoints, and a leaked token must not lead them elsewhere.
    refuseWeakTokens(own);
    readingRoutes(own, services);
    settingRoute(own, services, options);
    confirmingRoutes(own, services);
  });
}

/** The server that sends the messages of partners, if the operator has set one up. */
const serverIn = async (rows: Rows): Promise<Row<'alert_channels'> | undefined> =>
  partnersServer(await rows.list('alert_channels', { where: { for_partners: true } }));

async function readSettings(rows: Rows, owner: Partner): Promise<z.input<typeof settingsView>> {
  const [server, address] = await Promise.all([serverIn(rows), readAddress(rows, owner)]);
  return { available: server !== undefined, address: address ? viewAddress(address) : null };
}

function readingRoutes(app: App, { store }: ProfileServices): void {
  const route = routesOf(app, tags);
  route('GET /alerts', {
    operationId: 'readProfileAlerts',
    summary: 'Where your alerts are sent by e-mail',
    description: 'An endpoint of yours that fails, is disabled or has dead letters: when it begins, and when it is over.',
    data: settingsView,
    handler: (request) => readSettings(store, ownerOf(request)),
  });
  route('GET /alerts/messages', {
    operationId: 'listProfileAlertMessages',
    summary: 'Your alerts with what was sent to you, newest first',
    querystring: listQuery(pagesOf('alt')),
    reply: pageOf(told),
    handler: async (request) => {
      const owner = ownerOf(request);
      const { data, next } = await listAlerts(store, { ...request.query, about: owner });
      const [messages, address] = await Promise.all([messagesOf(store, data), readAddress(store, owner)]);
      const seen = { owner, language: address?.language ?? 'en' };
      return { data: data.map((alert) => viewTold(alert, messages.get(alert.id) ?? [], seen)), next };
    },
  });
}

function settingRoute(app: App, { store, change }: ProfileServices, { send, profileUrl }: ProfileAlertOptions): void {
  const route = routesOf(app, tags);
  route('PUT /alerts/address', {
    operationId: 'setProfileAlertAddress',
    summary: 'Set your address, to which a code is sent',
    description:
      `Alerts are sent there once the code came back (\`confirmProfileAlertAddress\`), within ${codeMinutes} minutes. Until then, another call sends another ` +
      'code, or one to another address; at most 10 codes a day. For the confirmed address, only the language changes. Refused with `no_mail_server` if ' +
      'the operator has set up none, with `address_known` while another address is confirmed, and with `address_refused` if the mail server takes nothing ' +
      'to the address, which is not stored then.',
    body: z.strictObject(addressFields),
    data: changedAddress,
    config: { limits: [codeLimit] },
    handler: async (request) => {
      const { address, language } = request.body;
      const server = await serverIn(store);
      if (!server)
        throw new Refusal(
          'conflict',
          'no_mail_server',
          'The operator has set up no mail server for partners, so nothing can be sent. Ask the operator.',
        );
      const owner = ownerOf(request);
      const { row, code } = await change((step) => setAddress(step, owner, { address, language }));
      if (code === null) return { ...viewAddress(row), sent: null };
      const name = (await activePartners(store, [owner])).get(owner) ?? owner;
      const message = confirmation({ name, language }, code, row.code_expires_at, profileUrl());
      const { ok, answer } = await send(addressedTo(server, address), message);
      const sent = { ok, answer: forPartners(answer) };
      if (!ok && refusesMailbox.test(answer)) {
        await change(({ tx }) => tx.remove('partner_alert_addresses', { owner, address, confirmed_at: null }));
        throw new Refusal(
          'conflict',
          'address_refused',
          `The mail server takes no messages to ${address}: ${sent.answer}. It was not stored. Check the address.`,
        );
      }
      return { ...viewAddress(row), sent };
    },
  });
}

function confirmingRoutes(app: App, { store, change, clock }: ProfileServices): void {
  const route = routesOf(app, tags);
  route('POST /alerts/address/confirm', {
    operationId: 'confirmProfileAlertAddress',
    summary: 'Confirm your address with the code that was sent there',
    description:
      'A code can be used once. After 5 wrong ones (400 `wrong_code`), or when it has expired (409 `code_ended`), set the address again.',
    body: z.strictObject({ secret_code: text(40).describe('The code of the message. Records hide it because of its name.') }),
    data: addressView,
    config: { limits: [tryLimit] },
    handler: async (request) => {
      const owner = ownerOf(request);
      const code = request.body.secret_code;
      await checkCode(store, owner, code, clock.now());
      return viewAddress(await change((step) => confirmAddress(step, owner, code)));
    },
  });
  route('DELETE /alerts/address', {
    operationId: 'removeProfileAlertAddress',
    summary: 'Remove your address; nothing more is sent there',
    data: settingsView,
    handler: async (request) => {
      await change((step) => removeAddress(step, ownerOf(request)));
      return readSettings(store, ownerOf(request));
    },
  });
}

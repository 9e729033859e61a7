import { z } from 'zod';
import { alertStates, listAlerts } from '../../alerts/alerts.ts';
import { type ChangedChannel, createChannel, readChannel, removeChannel, updateChannel } from '../../alerts/channels.ts';
import { channelAfter } from '../../alerts/dispatch.ts';
import { messagesOf } from '../../alerts/messages.ts';
import { recipientsById } from '../../alerts/partners/addresses.ts';
import type { SendThrough } from '../../alerts/send.ts';
import { testMessage } from '../../alerts/texts.ts';
import type { App, Services } from '../../http/api.ts';
import { searchText } from '../../http/fields.ts';
import { pageOf, pagesOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Rows } from '../../store/port.ts';
import { alertChannelKinds, alertRuleNames } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import { listRoutes } from '../lists/routes.ts';
import { ownersOf } from '../partners.ts';
import { idParams, ownerFilter, period } from '../webhooks/views.ts';
import { alertView, answerView, channelCreation, channelPatch, channelView, viewAlert, viewChannel } from './shapes.ts';

export interface AlertRoutesOptions {
  allowLoopback: boolean;
  send: SendThrough;
  consoleUrl(): string | null;
}

const tags = ['Alerts'];
const changedChannel = channelView.extend({
  replaces: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('The channel that sent the alerts of partners until now, and no longer does; null if none was replaced.'),
});
const viewChanged = ({ channel, replaces }: ChangedChannel) => ({
  ...viewChannel(channel),
  replaces: replaces && { id: replaces.id, name: replaces.name },
});

/** Alerts to people: their history, and the channels they are sent through. */
export function alertRoutes(app: App, services: Services, options: AlertRoutesOptions): void {
  historyRoute(app, services);
  channelRoutes(app, services, options);
  changingRoutes(app, services, options);
  testRoute(app, services, options);
}

function historyRoute(app: App, { store }: Services): void {
  listRoutes(app, {
    url: '/alerts',
    name: 'Alerts',
    rows: 'alerts',
    tags,
    summary: 'Alerts with their messages, newest first',
    ids: 'alt',
    filters: {
      ...period,
      rule: z.enum(alertRuleNames).optional(),
      owner: ownerFilter.describe('Alerts about the endpoints of this partner, such as `account:acc_1` or `user:6`.'),
      subject: searchText().optional().describe('The id of an endpoint.'),
      state: z.enum(alertStates).optional(),
    },
    wanted: ({ owner: about, ...query }) => ({ ...query, about }),
    read: (wanted) => listAlerts(store, wanted),
    at: ({ opened_at }) => opened_at,
    row: alertView,
    view: (alerts) => viewAlerts(store, alerts),
  });
}

async function viewAlerts(rows: Rows, alerts: readonly Row<'alerts'>[]): Promise<z.input<typeof alertView>[]> {
  const [messages, channels, owners] = await Promise.all([
    messagesOf(rows, alerts),
    rows.list('alert_channels'),
    ownersOf(
      rows,
      alerts.flatMap(({ about }) => about ?? []),
    ),
  ]);
  const sentTo = new Set([...messages.values()].flat().map(({ channel_id }) => channel_id));
  const addresses = await recipientsById(rows, [...sentTo]);
  const names = new Map([
    ...channels.map(({ id, name }): [string, string] => [id, name]),
    ...[...addresses].map(([id, { address }]): [string, string] => [id, address]),
  ]);
  return alerts.map((alert) => viewAlert(alert, messages.get(alert.id) ?? [], { owners, channels: names }));
}

function channelRoutes(app: App, { store, change, keys }: Services, { allowLoopback }: AlertRoutesOptions): void {
  const route = routesOf(app, tags);
  route('GET /alerts/channels', {
    operationId: 'listAlertChannels',
    summary: 'Channels, newest first, without their secrets',
    querystring: z.strictObject({ ...pagesOf('alc'), kind: z.enum(alertChannelKinds).optional() }),
    reply: pageOf(channelView),
    handler: async ({ query }) => readPage(store, 'alert_channels', query, viewChannel),
  });
  route('POST /alerts/channels', {
    operationId: 'createAlertChannel',
    summary: 'Create a channel: e-mail over SMTP, or an incoming webhook of Slack or Mattermost',
    description: 'The password and the URL are encrypted with the master key, and never returned.',
    body: channelCreation,
    created: changedChannel,
    handler: async ({ body }) => viewChanged(await change((step) => createChannel(step, body, { keys, allowLoopback }))),
  });
}

function changingRoutes(app: App, { change, keys }: Services, { allowLoopback }: AlertRoutesOptions): void {
  const route = routesOf(app, tags);
  route('PATCH /alerts/channels/:id', {
    operationId: 'updateAlertChannel',
    summary: 'Change a channel; fields not sent stay unchanged',
    description: 'A new server needs the password again. Messages that wait for a channel are skipped when it is deactivated.',
    params: idParams,
    body: channelPatch,
    data: changedChannel,
    handler: async ({ params, body }) =>
      viewChanged(await change((step) => updateChannel(step, params.id, body, { keys, allowLoopback }))),
  });
  route('DELETE /alerts/channels/:id', {
    operationId: 'removeAlertChannel',
    summary: 'Remove a channel; messages that wait for it are skipped',
    params: idParams,
    data: z.object({ id: z.string() }),
    handler: async ({ params: { id } }) => {
      await change((step) => removeChannel(step, id));
      return { id };
    },
  });
}

function testRoute(app: App, { store, clock }: Services, { send, consoleUrl }: AlertRoutesOptions): void {
  const route = routesOf(app, tags);
  route('POST /alerts/channels/:id/test', {
    operationId: 'testAlertChannel',
    summary: "Send a test through a channel, and return the server's answer",
    params: idParams,
    data: answerView,
    handler: async ({ params: { id } }) => {
      const channel = await readChannel(store, id);
      const answered = await send(channel, testMessage(channel.name, clock.now(), consoleUrl()));
      await store.update('alert_channels', { id }, channelAfter(channel, answered, clock.now()));
      return answered;
    },
  });
}

import { z } from 'zod';
import { alertStates, listAlerts, messagesOf } from '../../alerts/alerts.ts';
import { type ChangedChannel, createChannel, readChannel, removeChannel, updateChannel } from '../../alerts/channels.ts';
import { channelAfter } from '../../alerts/dispatch.ts';
import { handleAlert } from '../../alerts/handling.ts';
import { isRecipient, recipientsById } from '../../alerts/partners/recipients.ts';
import { changeRule, namedRule, readRules } from '../../alerts/rules.ts';
import type { SendThrough } from '../../alerts/send.ts';
import { testMessage } from '../../alerts/texts.ts';
import type { App, Services } from '../../http/api.ts';
import { searchText } from '../../http/fields.ts';
import { pageOf, pagesOf, readPage } from '../../http/page.ts';
import type { Rows } from '../../store/port.ts';
import { alertChannelKinds } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import { listRoutes } from '../lists/routes.ts';
import { callerOf } from '../operators/identity.ts';
import { refuseUnknownOperator } from '../operators/operators.ts';
import { ownersOf } from '../partners.ts';
import { idParams, idText, ownerFilter, period } from '../webhooks/views.ts';
import { alertHandling } from './handled.ts';
import {
  alertView,
  answerView,
  channelCreation,
  channelPatch,
  channelView,
  foundField,
  ruleChange,
  ruleView,
  viewAlert,
  viewChannel,
  viewRule,
} from './shapes.ts';

export interface AlertRoutesOptions {
  allowLoopback: boolean;
  send: SendThrough;
  consoleUrl(): string | null;
}

const tags = ['Alerts'];
const changedChannel = z.object({
  data: channelView.extend({
    replaces: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('The channel that sent the alerts of partners until now, and no longer does; null if none was replaced.'),
  }),
});
const viewChanged = ({ channel, replaces }: ChangedChannel) => ({
  data: { ...viewChannel(channel), replaces: replaces && { id: replaces.id, name: replaces.name } },
});

/** Alerts to people: their history, the rules that open them, and the channels they are sent through. */
export function alertRoutes(app: App, services: Services, options: AlertRoutesOptions): void {
  historyRoute(app, services);
  handlingRoute(app, services);
  ruleRoutes(app, services);
  channelRoutes(app, services, options);
  changingRoutes(app, services, options);
  testRoute(app, services, options);
}

function historyRoute(app: App, { store, clock }: Services): void {
  listRoutes(app, {
    url: '/alerts',
    name: 'Alerts',
    rows: 'alerts',
    tags,
    summary: 'Alerts with their messages, newest first',
    ids: 'alt',
    filters: {
      ...period,
      rule: foundField().optional(),
      owner: ownerFilter.describe(
        'Alerts that concern this partner, such as `account:acc_1` or `user:6`: those that the partner was told (`owner`), and those of the operator about its endpoints.',
      ),
      subject: searchText().optional().describe('The id of an endpoint, or an account or token such as `account:acc_1`.'),
      state: z
        .enum(alertStates)
        .optional()
        .describe(
          '`open` is whatever is not over. `unhandled` is what nobody has acknowledged or snoozed. Both that and the next two are alerts of operators.',
        ),
    },
    wanted: ({ owner: about, ...query }) => ({ ...query, about, now: clock.now() }),
    read: (wanted) => listAlerts(store, wanted),
    at: ({ opened_at }) => opened_at,
    row: alertView,
    view: (alerts) => viewAlerts(store, alerts, clock.now()),
  });
}

function handlingRoute(app: App, { change }: Services): void {
  app.route({
    method: 'PATCH',
    url: '/alerts/:id',
    schema: {
      operationId: 'updateAlert',
      tags,
      summary: 'Acknowledge, snooze or assign an open alert; fields not sent stay unchanged',
      description:
        'An alert is over by itself, when its cause is. One that is over is refused (409 `alert_over`), as is what a partner was told (409 `alert_of_partner`).',
      params: idParams,
      body: alertHandling,
      response: { 200: z.object({ data: alertView }) },
    },
    handler: async (request) => {
      const { params, body } = request;
      const by = callerOf(request).name;
      const data = await change(async (step) => {
        if (body.assigned_to) await refuseUnknownOperator(step.tx, 'assigned_to', body.assigned_to);
        const handled = await handleAlert(step, { ...body, id: params.id, by });
        return viewAlerts(step.tx, [handled], step.now);
      });
      return { data: data[0] as z.input<typeof alertView> };
    },
  });
}

async function viewAlerts(rows: Rows, alerts: readonly Row<'alerts'>[], nowMs: number): Promise<z.input<typeof alertView>[]> {
  const [messages, channels, owners] = await Promise.all([
    messagesOf(rows, alerts),
    rows.list('alert_channels'),
    ownersOf(
      rows,
      alerts.flatMap(({ about }) => about ?? []),
    ),
  ]);
  const sentTo = new Set([...messages.values()].flat().map(({ channel_id }) => channel_id));
  const addresses = await recipientsById(rows, [...sentTo].filter(isRecipient));
  const names = new Map([
    ...channels.map(({ id, name }): [string, string] => [id, name]),
    ...[...addresses].map(([id, { address }]): [string, string] => [id, address]),
  ]);
  return alerts.map((alert) => viewAlert(alert, messages.get(alert.id) ?? [], { owners, nowMs, channels: names }));
}

function ruleRoutes(app: App, { store, change }: Services): void {
  app.route({
    method: 'GET',
    url: '/alerts/rules',
    schema: {
      operationId: 'listAlertRules',
      tags,
      summary: 'Every rule with its numbers and its defaults',
      response: { 200: z.object({ data: z.array(ruleView) }) },
    },
    handler: async () => ({ data: (await readRules(store)).map(viewRule) }),
  });
  app.route({
    method: 'PUT',
    url: '/alerts/rules/:name',
    schema: {
      operationId: 'setAlertRule',
      tags,
      summary: 'Set a rule; fields not sent get their defaults',
      params: z.object({ name: idText() }),
      body: ruleChange,
      response: { 200: z.object({ data: ruleView }) },
    },
    handler: async ({ params, body }) => {
      const name = namedRule(params.name);
      return { data: viewRule(await change((step) => changeRule(step, name, body))) };
    },
  });
}

function channelRoutes(app: App, { store, change, keys }: Services, { allowLoopback }: AlertRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/alerts/channels',
    schema: {
      operationId: 'listAlertChannels',
      tags,
      summary: 'Channels, newest first, without their secrets',
      querystring: z.strictObject({ ...pagesOf('alc'), kind: z.enum(alertChannelKinds).optional() }),
      response: { 200: pageOf(channelView) },
    },
    handler: async ({ query }) => readPage(store, 'alert_channels', query, viewChannel),
  });
  app.route({
    method: 'POST',
    url: '/alerts/channels',
    schema: {
      operationId: 'createAlertChannel',
      tags,
      summary: 'Create a channel: e-mail over SMTP, or an incoming webhook of Slack or Mattermost',
      description: 'The password and the URL are encrypted with the master key, and never returned.',
      body: channelCreation,
      response: { 201: changedChannel },
    },
    handler: async ({ body }, reply) => {
      const rules = { keys, allowLoopback };
      const made = await change((step) => createChannel(step, body, rules));
      return reply.code(201).send(viewChanged(made));
    },
  });
}

function changingRoutes(app: App, { change, keys }: Services, { allowLoopback }: AlertRoutesOptions): void {
  app.route({
    method: 'PATCH',
    url: '/alerts/channels/:id',
    schema: {
      operationId: 'updateAlertChannel',
      tags,
      summary: 'Change a channel; fields not sent stay unchanged',
      description: 'A new server needs the password again. Messages that wait for a channel are skipped when it is deactivated.',
      params: idParams,
      body: channelPatch,
      response: { 200: changedChannel },
    },
    handler: async ({ params, body }) => {
      const rules = { keys, allowLoopback };
      return viewChanged(await change((step) => updateChannel(step, params.id, body, rules)));
    },
  });
  app.route({
    method: 'DELETE',
    url: '/alerts/channels/:id',
    schema: {
      operationId: 'removeAlertChannel',
      tags,
      summary: 'Remove a channel; messages that wait for it are skipped',
      params: idParams,
      response: { 200: z.object({ data: z.object({ id: z.string() }) }) },
    },
    handler: async ({ params: { id } }) => {
      await change((step) => removeChannel(step, id));
      return { data: { id } };
    },
  });
}

function testRoute(app: App, { store, clock }: Services, { send, consoleUrl }: AlertRoutesOptions): void {
  app.route({
    method: 'POST',
    url: '/alerts/channels/:id/test',
    schema: {
      operationId: 'testAlertChannel',
      tags,
      summary: "Send a test through a channel, and return the server's answer",
      params: idParams,
      response: { 200: z.object({ data: answerView }) },
    },
    handler: async ({ params: { id } }) => {
      const channel = await readChannel(store, id);
      const answered = await send(channel, testMessage(channel.name, clock.now(), consoleUrl()));
      await store.update('alert_channels', { id }, channelAfter(channel, answered, clock.now()));
      return { data: answered };
    },
  });
}

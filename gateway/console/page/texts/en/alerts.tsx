import type { ReactNode } from 'react';
import { count, form } from '../../lib/format.ts';

const lastMinutes = (minutes: number) => (minutes === 1 ? 'the last minute' : `the last ${minutes} min`);

export const alerts = {
  title: 'Alerts',
  tabs: { alerts: 'Alerts', rules: 'Rules', email: 'E-mail', chat: 'Chat' },
  severity: { info: 'info', warning: 'warning', critical: 'critical' },
  notice: {
    nobody: 'Nobody is told',
    noChannel: 'There is no active channel. Alerts are recorded here. Add an e-mail channel, or an incoming webhook.',
    failing: 'Messages do not arrive',
    answer: (channel: string, said: ReactNode) => (
      <>
        <b>{channel}</b>: {said}
      </>
    ),
  },
  history: {
    description: 'What the rules have found, and what was sent where. An alert is over by itself, when its cause is.',
    empty: 'No rule has found anything. “Rules” shows what each looks for, “E-mail” and “Chat” who is told.',
    filters: {
      state: 'State',
      rule: 'Rule',
      owner: 'Partner',
      subject: 'About',
      subjectExample: 'id of an endpoint, account or token',
    },
    state: { open: 'not over', unhandled: 'open', acknowledged: 'acknowledged', snoozed: 'snoozed', resolved: 'over' },
    columns: { what: 'What', severity: 'Severity', which: 'Which', state: 'State', since: 'Since', sent: 'Sent' },
    facts: {
      cause: 'Cause',
      rule: 'Rule',
      told: 'Who is told',
      partner: 'Partner',
      severity: 'Severity',
      state: 'State',
      about: 'About',
      since: 'Since',
      handled: 'Who works on it',
      handed: 'Handed to channels',
      over: 'Over',
      ending: 'What ended it',
    },
    showCause: 'Show it',
    toNobody: 'to nobody',
    toPartner: (name: string, id: string) => `To ${name} (${id})`,
    until: (at: ReactNode): ReactNode => <>until {at}</>,
    ofPartner: (name: string, id: string) => `Endpoint of ${name} (${id})`,
    gateway: 'the gateway',
    notYetHanded: 'not yet',
    notOver: 'no',
    nobody: 'nobody yet',
  },
  /** What operators do with open alerts. */
  handling: {
    handle: 'Handle',
    acknowledge: 'Acknowledge',
    notAcknowledged: 'Unacknowledge',
    snooze: 'Snooze for',
    hours: (hours: number) => `${hours} h`,
    endSnooze: 'End the snooze',
    assign: 'Assign to',
    nobody: 'nobody',
    changed: 'The change was saved.',
    has: (names: readonly string[]): ReactNode => `${names.join(', ')} ${form(names.length, 'has', 'have')} it`,
    acknowledgedAt: (at: ReactNode, some: number, all: number): ReactNode =>
      some === all ? <>acknowledged {at}</> : `${count(some)} of ${count(all)} acknowledged`,
    snoozedUntil: (at: ReactNode): ReactNode => <>snoozed until {at}</>,
  },
  messages: {
    title: 'Messages',
    none: 'Nobody was told: no channel takes this alert, or the same alert was sent within its quiet time.',
    columns: { channel: 'Channel', tells: 'Tells', state: 'State', answer: "Server's answer", when: 'When' },
    removedChannel: 'removed',
    tells: { opened: 'it began', resolved: 'it is over' },
  },
  /** What partners are told about their own. */
  own: {
    own_endpoint_held: 'A partner’s endpoint is held',
    own_endpoint_disabled: 'A partner’s endpoint is disabled',
    own_token_expires: 'A token expires',
    own_key_expires: 'An API key ends',
    own_secret_expires: 'A signing secret ends unconfirmed',
  },
  rules: {
    active: 'active',
    notActive: 'not active',
    description: 'Each rule is checked every 10 s. Open one to change its numbers, its severity and its channels.',
    columns: { rule: 'Rule', state: 'State', severity: 'Severity', opens: 'Opens when', channels: 'Channels' },
    facts: {
      state: 'State',
      severity: 'Severity',
      opens: 'Opens when',
      over: 'Over when',
      quiet: 'Quiet time',
      channels: 'Channels',
      name: 'Name in the API',
    },
    fields: {
      enabled: 'On',
      threshold: (unit: string) => `Threshold, ${unit}`,
      period: 'Period, minutes',
      quiet: 'Quiet time, minutes',
      quietHelp: 'The same alert is not sent again within this time.',
      severity: 'Severity',
      channels: 'Channels',
      noChannel: 'There is no channel yet.',
      channelsHelp: 'None chosen: every channel that takes the severity.',
    },
    bySeverity: 'by severity',
    noChannels: 'none',
    edit: 'Edit',
    reset: 'Back to defaults',
    changed: 'The rule was changed.',
    off: 'The rule is off.',
    isReset: 'The rule has its defaults again.',
  },
  /** Each rule as the API describes it. `test/console/page/alert-texts.test.ts` compares them. */
  rule: {
    endpoint_failing: {
      title: 'An endpoint fails',
      opens: (threshold: number, period: number) =>
        `At least ${threshold} % of three or more attempts at an endpoint within ${period} min failed. Tests that failed do not count.`,
      resolves: 'An attempt succeeds and the rate is lower; or the endpoint is inactive or deleted.',
    },
    endpoint_held: {
      title: 'An endpoint gets nothing',
      opens: (_: number, period: number) =>
        `The circuit of an endpoint is open and nothing has succeeded for ${period} min, or the gateway has disabled it.`,
      resolves: 'An attempt succeeds, or the endpoint is activated, paused by an operator, or deleted.',
    },
    dead_letters: {
      title: 'Deliveries are dead letters',
      opens: (threshold: number, period: number) =>
        `${threshold} or more deliveries to an endpoint failed for good within ${period} min, or one that failed for good blocks those behind it.`,
      resolves:
        'The endpoint has no dead letter left: all were sent again, skipped by hand, or deleted by retention; or it is deleted.',
    },
    limit_refusals: {
      title: 'A partner is refused by a limit',
      opens: (threshold: number, period: number) =>
        `${threshold} or more calls of an account or token were refused with 429 within ${period} min.`,
      resolves: 'Fewer were within the last period.',
    },
    ledger_unbalanced: {
      title: 'The ledger does not balance',
      opens: (threshold: number, period: number) =>
        `${threshold} or more events, deliveries or attempts have been missing, or too many, for ${period} min.`,
      resolves: 'The audit finds fewer.',
    },
    calls_not_recorded: {
      title: 'Calls are not recorded',
      opens: (threshold: number, period: number) =>
        `${threshold} or more calls were served but not recorded within ${period} min.`,
      resolves: 'Fewer were within the last period.',
    },
    disk_space: {
      title: 'The disk is nearly full',
      opens: (threshold: number, period: number) =>
        `Less than ${threshold} MB have been free on the disk of DATA_DIR for ${period} min. Embedded tier only.`,
      resolves: 'As much is free again.',
    },
    queue_down: {
      title: 'The queue does not answer',
      opens: (_: number, period: number) => `The queue has not answered for ${period} min: deliveries wait in the store.`,
      resolves: 'It answers.',
    },
    store_down: {
      title: 'The store does not answer',
      opens: (_: number, period: number) =>
        `The store has not answered, or has refused writes, for ${period} min: calls get 503.`,
      resolves: 'It accepts writes.',
    },
  },
  /** What an alert says by its case, as the API and e-mails do. The same test compares them. */
  says: {
    endpoint: (description: string, host: string) => `“${description}” at ${host}`,
    caller: (name: string, id: string) => `“${name}” (${id})`,
    endpoint_failing: (endpoint: string, failed: number, attempts: number, minutes: number, id: string) =>
      `${endpoint}: ${failed} of ${attempts} attempts in ${lastMinutes(minutes)} failed. (${id})`,
    endpoint_held: (endpoint: string, holds: number, id: string) =>
      `${endpoint}: Its circuit opened ${holds} ${form(holds, 'time')} in a row, and its deliveries wait. None is lost. (${id})`,
    endpoint_gone: (endpoint: string, id: string) =>
      `${endpoint}: Its receiver answered 410 Gone, so the gateway disabled it. Deliveries are skipped until it is activated. (${id})`,
    endpoint_disabled: (endpoint: string, id: string) =>
      `${endpoint}: It only failed for days, so the gateway disabled it. Deliveries are skipped until it is activated. (${id})`,
    dead_letters: (endpoint: string, deliveries: number, minutes: number, id: string) =>
      `${endpoint}: ${deliveries} ${form(deliveries, 'delivery', 'deliveries')} failed for good in ${lastMinutes(minutes)}. Send them again when its receiver works. (${id})`,
    limit_refusals: (caller: string, calls: number, minutes: number) =>
      `${caller}: ${calls} ${form(calls, 'call')} refused with 429 in ${lastMinutes(minutes)}.`,
    ledger_unbalanced: (missing: number, surplus: number) =>
      `The ledger does not balance: ${missing} ${form(missing, 'row is', 'rows are')} missing, ${surplus} too many.`,
    calls_not_recorded: (calls: number, minutes: number) =>
      `${calls} ${form(calls, 'call was', 'calls were')} served but not recorded in ${lastMinutes(minutes)}.`,
    disk_space: (megabytes: number) =>
      `The disk with the database has ${megabytes} MB left. Writes are refused when 32 MB are left.`,
    disabledBecause: {
      gone: 'its receiver answered 410 Gone',
      failing: 'it only failed for days',
      operator: 'an operator disabled it',
    },
    own_endpoint_held: (endpoint: string, id: string) => `${endpoint}: Its deliveries wait. None is lost. (${id})`,
    own_endpoint_disabled: (endpoint: string, because: string, id: string) =>
      `${endpoint}: Nothing is sent to it: ${because}. (${id})`,
    own_token_expires: (name: string, token: string, at: string) => `The access token “${name}” (${token}) expires at ${at}.`,
    own_key_expires: (key: string, at: string) => `The API key ${key}, which was replaced, ends at ${at}.`,
    own_secret_expires: (endpoint: string, at: string, id: string) =>
      `${endpoint}: Its new signing secret is not confirmed, and the old one ends at ${at}. (${id})`,
    proxy_failing: (status: number) =>
      `The proxy for webhooks ${status === 0 ? 'does not answer' : `answers ${status}`}. All deliveries wait, and no receiver is charged.`,
    deliveries_late: (late: number, attempts: number, hours: number) =>
      `${late} of ${attempts} first attempts in the last ${hours === 1 ? 'hour' : `${hours} h`} began over 5 s late by the gateway's own fault. At most 0.1 % should. Add a process, or see what slows it down.`,
    queue_down: 'The queue does not answer. Calls are served; deliveries wait in the store.',
    store_down: 'The store does not answer, or refuses writes. Calls get 503.',
  },
  /** What ended an alert, as the API and e-mails say it. The same test compares them. */
  ended: {
    ruleOff: (message: string) => `The rule was switched off. ${message}`,
    stopped: (cause: string, id: string) => `${cause} (${id})`,
    answers: (endpoint: string, waiting: string, id: string) => `${endpoint} answers again.${waiting && ` ${waiting}.`} (${id})`,
    fails: (endpoint: string, id: string) => `${endpoint} fails less often than the rule allows. (${id})`,
    activated: (endpoint: string, id: string) => `${endpoint} is active again, and its deliveries are tried. (${id})`,
    dead_letters: (endpoint: string, id: string) =>
      `${endpoint} has no dead letter left: all were sent again, skipped by hand, or deleted by retention. (${id})`,
    limit_refusals: (caller: string, minutes: number) =>
      `${caller}: fewer calls than the rule’s threshold were refused with 429 in ${lastMinutes(minutes)}.`,
    ledger_unbalanced: 'The ledger balances again: fewer rows are missing, or too many, than the rule’s threshold.',
    calls_not_recorded: (minutes: number) =>
      `Fewer calls than the rule’s threshold were not recorded in ${lastMinutes(minutes)}.`,
    disk_space: 'The disk with the database has enough space again.',
    proxy_failing: 'Webhooks get through the proxy again.',
    deliveries_late: 'First attempts begin in time again.',
    queue_down: 'The queue answers again.',
    store_down: 'The store answers again.',
  },
  /** The units of the rules' thresholds that are words. */
  unit: { deliveries: 'deliveries', calls: 'calls', rows: 'rows', MB: 'MB' },
  channels: {
    email: {
      title: 'E-mail',
      description: 'Alerts go out through your mail server, over SMTP. The password is encrypted, and never shown.',
    },
    slack: {
      title: 'Chat',
      description: 'Alerts are posted to an incoming webhook of Slack, or of Mattermost, which takes the same format.',
    },
    empty: 'Alerts are recorded, and nobody is told here.',
    columns: { name: 'Name', server: 'Server', severity: 'From severity', works: 'Works' },
    facts: {
      works: 'Works',
      answer: "The server's last answer",
      server: 'Server',
      to: 'To',
      from: 'From',
      forPartners: 'Alerts of partners',
      username: 'User name',
      severity: 'From severity',
      night: 'Night',
    },
    noAnswer: 'none yet',
    noUsername: 'none',
    noNight: 'none',
    servesPartners: 'sent',
    servesNoPartners: 'no',
    night: (from: string, to: string, zone: string) => `${from} to ${to} ${zone}`,
    failsSince: (time: ReactNode) => <>fails since {time}</>,
    sentAt: (time: ReactNode) => <>sent {time}</>,
    nothingSent: 'nothing sent yet',
    fields: {
      severity: 'From severity',
      severityHelp: 'It gets alerts of this severity and above, unless a rule names its channels.',
      nightFrom: 'Night from',
      nightHelp: 'At night only critical alerts are sent. The others wait. Empty: no night.',
      nightTo: 'Night to',
      nightZone: 'Time zone of the night',
      name: 'Name',
      emailNameExample: 'On call',
      slackNameExample: '#operations',
      to: 'To',
      toHelp: 'Addresses separated by commas.',
      from: 'From',
      forPartners: 'Also sends the alerts of partners',
      forPartnersHelp: 'Its server, login and sender. One channel at most: it takes the place of the one before.',
      host: 'Mail server',
      port: 'Port',
      security: 'Encryption',
      securityHelp: 'starttls is usual for port 587, tls for 465. none is plain text.',
      noSecurity: 'none',
      username: 'User name',
      password: 'Password',
      keepSecret: 'Empty: the stored one stays.',
      noPassword: 'Empty: no sign-in.',
      url: "The incoming webhook's URL",
      urlHelp: 'Who knows it can post, so it is never shown again.',
    },
    create: 'New channel',
    created: (name: string) => `${name} was created. Open it to send a test.`,
    test: 'Send a test',
    accepted: 'The test was accepted.',
    refused: 'The test was not accepted.',
    edit: 'Edit',
    changed: (name: string) => `${name} was changed.`,
    replaces: (name: string) => `${name} no longer sends the alerts of partners.`,
    remove: 'Remove',
    removal: ['Alerts are no longer sent there.', 'Rules that name it no longer do.', 'Its password or URL is deleted.'],
    removed: (name: string) => `${name} was removed.`,
  },
};

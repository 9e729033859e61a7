import type { ReactNode } from 'react';
import { form } from '../../lib/format.ts';

export const alerts = {
  title: 'Alerts',
  tabs: { alerts: 'Alerts', email: 'E-mail', chat: 'Chat' },
  severity: { warning: 'warning', critical: 'critical' },
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
    empty: 'No rule has found anything. “E-mail” and “Chat” show who is told.',
    filters: {
      state: 'State',
      rule: 'Rule',
      owner: 'Partner',
      subject: 'About',
      subjectExample: 'id of an endpoint',
    },
    state: { open: 'open', resolved: 'over' },
    columns: { what: 'What', severity: 'Severity', which: 'Which', state: 'State', since: 'Since', sent: 'Sent' },
    facts: {
      cause: 'Cause',
      rule: 'Rule',
      partner: 'Partner',
      severity: 'Severity',
      state: 'State',
      about: 'About',
      since: 'Since',
      over: 'Over',
      ending: 'What ended it',
    },
    showCause: 'Show it',
    toNobody: 'to nobody',
    until: (at: ReactNode): ReactNode => <>until {at}</>,
    ofPartner: (name: string, id: string) => `Endpoint of ${name} (${id})`,
    gateway: 'the gateway',
    notOver: 'no',
  },
  messages: {
    title: 'Messages',
    none: 'Nobody was told: no channel takes this alert.',
    columns: { channel: 'Channel', tells: 'Tells', state: 'State', answer: "Server's answer", when: 'When' },
    removedChannel: 'removed',
    tells: { opened: 'it began', resolved: 'it is over' },
  },
  /** The titles of the rules. */
  rule: {
    endpoint_failing: 'An endpoint gets nothing',
    endpoint_disabled: 'An endpoint is disabled',
    dead_letters: 'Deliveries are dead letters',
    queue_down: 'The queue does not answer',
    records_lost: 'Records are lost',
    storage: 'The store is down or nearly full',
  },
  /** What an alert says by its case, as the API and e-mails do. `test/console/page/alert-texts.test.ts` compares them. */
  says: {
    endpoint: (description: string, host: string) => `“${description}” at ${host}`,
    endpoint_failing: (endpoint: string, id: string) => `${endpoint}: Its deliveries wait. None is lost. (${id})`,
    disabledBecause: {
      gone: 'Its receiver answered 410 Gone, so the gateway disabled it.',
      failing: 'It only failed for days, so the gateway disabled it.',
      operator: 'An operator disabled it.',
    },
    endpoint_disabled: (endpoint: string, because: string, id: string) =>
      `${endpoint}: ${because} Deliveries are skipped until it is activated. (${id})`,
    dead_letters: (endpoint: string, deliveries: number, id: string) =>
      `${endpoint}: ${deliveries} ${form(deliveries, 'delivery', 'deliveries')} failed for good. Send them again when its receiver works. (${id})`,
    queue_down: 'The queue does not answer. Calls are served; deliveries wait in the store.',
    records_lost: (calls: number, rows: number) =>
      `Records are lost: ${calls} ${form(calls, 'call was', 'calls were')} served but not recorded, and the ledger misses ${rows} ${form(rows, 'row')}.`,
    disk_space: (megabytes: number) =>
      `The disk with the database has ${megabytes} MB left. Writes are refused when 32 MB are left.`,
    store_down: 'The store does not answer, or refuses writes. Calls get 503.',
  },
  /** What ended an alert, as the API and e-mails say it. The same test compares them. */
  ended: {
    stopped: (cause: string, id: string) => `${cause} (${id})`,
    answers: (endpoint: string, waiting: string, id: string) => `${endpoint} answers again.${waiting && ` ${waiting}.`} (${id})`,
    activated: (endpoint: string, id: string) => `${endpoint} is active again, and its deliveries are tried. (${id})`,
    dead_letters: (endpoint: string, id: string) =>
      `${endpoint} has no dead letter left: all were sent again, skipped by hand, or deleted by retention. (${id})`,
    queue_down: 'The queue answers again.',
    records_lost: 'Calls are recorded again, and the ledger misses nothing.',
    disk_space: 'The disk with the database has enough space again.',
    store_down: 'The store answers again.',
  },
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
    },
    noAnswer: 'none yet',
    noUsername: 'none',
    servesPartners: 'sent',
    servesNoPartners: 'no',
    failsSince: (time: ReactNode) => <>fails since {time}</>,
    sentAt: (time: ReactNode) => <>sent {time}</>,
    nothingSent: 'nothing sent yet',
    fields: {
      severity: 'From severity',
      severityHelp: 'It gets alerts of this severity and above.',
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
    removal: ['Alerts are no longer sent there.', 'Its password or URL is deleted.'],
    removed: (name: string) => `${name} was removed.`,
  },
};

import type { ReactNode } from 'react';

export const alerts = {
  title: 'Alerts',
  tabs: { address: 'Address', messages: 'Messages' },
  unavailable: {
    title: 'No e-mail is sent',
    next: 'The operator has set up no mail server for partners. Alerts are sent as soon as there is one.',
  },
  address: {
    title: 'Where your alerts are sent',
    help: 'You are told when an endpoint of yours fails, is disabled or has dead letters, and when that is over. A code is sent to the address first.',
    label: 'E-mail address',
    language: 'Language of the messages',
    languages: { en: 'English', fr: 'French' },
    sendCode: 'Send the code',
    codeSent: 'Enter the code that is sent to the address.',
    codeNotSent: 'The code was not sent.',
    code: 'Code',
    codeHelp: (address: string, ends: ReactNode) => (
      <>
        From the message to {address}. It can be used once, until {ends}.
      </>
    ),
    confirm: 'Confirm',
    isConfirmed: (address: string) => `${address} gets your alerts.`,
    save: 'Save',
    saved: 'Saved.',
    remove: 'Remove the address',
    removed: 'The address was removed.',
  },
  history: {
    description: 'What you were told, and what the mail server answered.',
    empty: 'Nothing to tell so far. Alerts appear here with what was sent.',
    columns: { what: 'What', message: 'Message', state: 'State', since: 'Since', sent: 'Sent' },
    names: {
      endpoint_failing: 'An endpoint gets nothing',
      endpoint_disabled: 'An endpoint is disabled',
      dead_letters: 'Deliveries failed for good',
    },
    over: 'Over',
    notOver: 'no',
    show: 'Show it',
    about: 'About',
  },
  sent: {
    title: 'Messages',
    none: 'Nothing was sent.',
    columns: { channel: 'Address', tells: 'Tells', state: 'State', answer: "Mail server's answer", when: 'When' },
    to: 'your address',
    tells: { opened: 'that it began', resolved: 'that it is over' },
  },
};

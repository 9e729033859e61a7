import type { ReactNode } from 'react';

export const alerts = {
  title: 'Alerts',
  tabs: { settings: 'Settings', addresses: 'Addresses', messages: 'Messages' },
  unavailable: {
    title: 'No e-mail is sent',
    next: 'The operator has set up no mail server for partners. What you choose here counts as soon as there is one.',
  },
  nobody: { title: 'Nobody is told', next: 'No address gets your alerts.', add: 'Add an address' },
  what: 'What is sent',
  kinds: {
    endpoint_held: { label: 'An endpoint fails', help: 'Its deliveries wait, and nothing has succeeded for a minute.' },
    endpoint_disabled: {
      label: 'An endpoint is disabled',
      help: 'By the gateway after days of failures or 410 Gone, or by the operator.',
    },
    endpoint_recovered: { label: 'An endpoint works again', help: 'Sent to those who were told of the trouble.' },
    credential_expires: { label: 'A token or API key ends', help: '7 days and 1 day before, or at once if there is less time.' },
    deliveries_blocked: {
      label: 'Dead letters block deliveries',
      help: 'At an ordered endpoint that waits for you to resend or skip them.',
    },
    source_address_changes: {
      label: 'An address of webhooks changes',
      help: 'Before webhooks come from another address, or no longer from one.',
    },
    secret_expires: {
      label: 'A signing secret ends',
      help: 'While the new one of a rotation is not confirmed: 7 days and 1 day before, or at once.',
    },
  },
  language: 'Language of the messages',
  languages: { en: 'English', fr: 'French' },
  where: 'Where it is sent',
  ownAddress: (address: string) => `Your own address, ${address}`,
  ownAddressHelp: 'The operator has it. Ask the operator to change it.',
  confirmed: (count: number) => (count === 1 ? '1 more address is confirmed.' : `${count} more addresses are confirmed.`),
  addresses: 'Addresses',
  sendTest: 'Send a test',
  tested: (address: string, answer: ReactNode) => (
    <>
      <b>{address}</b>: {answer}
    </>
  ),
  testTaken: 'The mail server took the test.',
  testRefused: 'The mail server did not take every test.',
  saved: 'Saved.',
  list: {
    description: 'An address gets alerts after the code that is sent there was entered here. At most 5.',
    empty: 'Add an address for alerts, such as one that your team reads.',
    columns: { address: 'Address', state: 'State', added: 'Added' },
    state: { active: 'confirmed', pending: 'waits for its code' },
    codeEnds: 'Code can be used until',
    add: 'Add an address',
    address: 'E-mail address',
    addressHelp: 'A code is sent there.',
    codeSent: (address: string) => `A code was sent to ${address}. Open it in the list and enter the code.`,
    codeNotSent: (address: string) => `The code for ${address} was not sent.`,
    confirm: 'Enter the code',
    code: 'Code',
    codeHelp: 'From the message that was sent there. It can be used once, within an hour.',
    isConfirmed: (address: string) => `${address} gets your alerts.`,
    again: 'Send another code',
    remove: 'Remove',
    removal: ['Alerts are no longer sent there.'],
    removed: (address: string) => `${address} was removed.`,
  },
  history: {
    description: 'What you were told, and what the mail server answered.',
    empty: 'Nothing to tell so far. Alerts appear here with what was sent where.',
    columns: { what: 'What', message: 'Message', state: 'State', since: 'Since', sent: 'Sent' },
    names: {
      own_endpoint_held: 'An endpoint fails',
      own_endpoint_disabled: 'An endpoint is disabled',
      own_token_expires: 'A token expires',
      own_key_expires: 'An API key ends',
      own_secret_expires: 'A signing secret ends',
      own_deliveries_blocked: 'Dead letters block deliveries',
      source_address_changes: 'An address of webhooks changes',
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
    removed: 'removed',
    tells: { opened: 'that it began', resolved: 'that it is over' },
  },
};

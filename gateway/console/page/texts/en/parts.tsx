import type { ReactNode } from 'react';
import { count, form, plural } from '../../lib/format.ts';

const deliveries = (amount: number) => plural(amount, 'delivery', 'deliveries');
const calls = (amount: number) => plural(amount, 'call', 'calls');
const events = (amount: number) => plural(amount, 'event', 'events');
const endpoints = (amount: number) => plural(amount, 'endpoint', 'endpoints');
const attempts = (amount: number) => plural(amount, 'attempt', 'attempts');
const are = (amount: number) => form(amount, 'is', 'are');

export const parts = {
  noSuchTab: { title: 'There is no such page', next: 'Choose one of the tabs above.' },
  close: 'Close',
  dismiss: 'Dismiss',
  cancel: 'Cancel',
  save: 'Save',
  delete: 'Delete',
  open: 'Open',
  any: 'any',
  all: 'all',
  none: 'none',
  noMatches: 'No matches',
  loading: 'Loading',
  copy: 'Copy',
  copied: 'Copied',
  showAll: 'Show all',
  showLess: 'Show less',
  viewersCannotChange: 'Viewers cannot change anything. Ask an operator.',
  code: {
    format: (title: string) => `Format of ${title}`,
    formatted: 'Formatted',
    exact: 'Exact bytes',
    empty: '(empty)',
  },
  secret: {
    copyNow: (what: string) => `Copy ${what} now`,
    shownOnce: 'It is not shown again.',
    signing: 'the signing secret',
    verification: 'Verification in the receiver (Node.js)',
    learnMore: (documents: (label: string) => ReactNode, guide: (label: string) => ReactNode): ReactNode => (
      <>
        The {documents('OpenAPI documents')} describe every event, its headers and its schema. The {guide('guide for partners')}{' '}
        has sample receivers in seven languages.
      </>
    ),
  },
  export: 'Export',
  exports: {
    deliveriesCsv: 'Deliveries as CSV',
    attemptsCsv: 'Their attempts as CSV',
    attemptsCurl: 'Their attempts as curl commands',
    attemptsHar: 'Their attempts as HAR',
    csv: 'As CSV',
    jsonLines: 'As JSON, one call per line',
    curl: 'As curl commands',
    har: 'As HAR, for a browser',
  },
  counting: 'Counting …',
  lists: {
    deliveries: { count: deliveries, moreThan: (amount: number) => `More than ${deliveries(amount)}` },
    calls: { count: calls, moreThan: (amount: number) => `More than ${calls(amount)}` },
    events: { count: events, moreThan: (amount: number) => `More than ${events(amount)}` },
    endpoints: { count: endpoints, moreThan: (amount: number) => `More than ${endpoints(amount)}` },
  },
  countedBackTo: (amount: string, at: ReactNode): ReactNode => (
    <>
      {amount}, counted back to {at}
    </>
  ),
  list: {
    rows: (amount: number) => plural(amount, 'row', 'rows'),
    moreRows: (amount: number) => `More than ${plural(amount, 'row', 'rows')}`,
    live: ' · live',
    loadingMore: 'Loading more …',
    searchFurther: (at: ReactNode): ReactNode => <>Searched back to {at}. Search further</>,
    searchedTo: (at: ReactNode): ReactNode => <>Searched back to {at}</>,
    end: 'End of the list.',
  },
  filters: {
    label: 'Filters',
    more: 'More filters',
    clear: 'Clear',
    removeAll: 'Remove all filters',
    live: 'Live',
    gone: 'no longer exists',
    anyTime: 'any time',
    custom: 'custom',
    from: (zone: string) => `From (${zone})`,
    before: (zone: string) => `Before (${zone})`,
    spans: { '15m': 'last 15 minutes', '1h': 'last hour', '24h': 'last 24 hours', '7d': 'last 7 days' },
    unknown: {
      title: 'This list has no such filter',
      names: (names: string) =>
        `${names}: the list below is not filtered by it. The link may come from another version, or it is misspelt.`,
      remove: 'Remove it',
    },
  },
  neighbours: {
    delivery: { previous: 'Previous delivery in the list (p)', next: 'Next delivery in the list (n)' },
    call: { previous: 'Previous call in the list (p)', next: 'Next call in the list (n)' },
    event: { previous: 'Previous event in the list (p)', next: 'Next event in the list (n)' },
    endpoint: { previous: 'Previous endpoint in the list (p)', next: 'Next endpoint in the list (n)' },
  },
  notices: {
    'endpoint.held': 'held',
    'endpoint.recovered': 'recovered',
    'endpoint.disabled': 'disabled',
  },
  noticeOf: (endpoint: ReactNode): ReactNode => <>{endpoint}: </>,
  period: {
    label: 'Period of the figures',
    hour: { label: 'Hour', words: 'in the last hour' },
    day: { label: 'Day', words: 'in the last 24 hours' },
    week: { label: 'Week', words: 'in the last 7 days' },
  },
  problem: {
    notFound: 'Not found',
    advice: 'The address may be misspelt, or the page may have been removed.',
    back: 'Go back',
    overview: 'Overview',
    search: 'Search for an id or a text',
    lists: {
      deliveries: 'All deliveries',
      events: 'All events',
      endpoints: 'All endpoints',
      calls: 'All calls',
    },
    field: (field: string, message: ReactNode): ReactNode => (
      <>
        {field}: {message}
      </>
    ),
    tryAgain: 'Try again',
    console: 'The console failed',
    unreachable: 'The gateway cannot be reached',
    unreachableAdvice: 'The gateway does not answer. It may be restarting, or the network may be down.',
    refused: (status: number, code: string) => `The gateway refused the request (${status}, ${code})`,
    answered: (status: number) => `The gateway answered ${status}.`,
    answeredTo: (status: number, path: string) => `The gateway answered ${status} to ${path}.`,
    failed: 'The request failed',
  },
  offline: {
    title: 'You are offline',
    asOf: (time: ReactNode): ReactNode => <>The newest figures on this page are from {time}.</>,
    next: 'They are read again as soon as the network is back.',
  },
  /** The states of deliveries, attempts, recoveries, alerts and limits. Other words are error classes. */
  status: {
    delivered: 'delivered',
    success: 'success',
    ok: 'ok',
    done: 'done',
    active: 'active',
    sent: 'sent',
    open: 'open',
    resolved: 'resolved',
    pending: 'pending',
    running: 'running',
    probing: 'probing',
    paused: 'paused',
    held: 'held',
    near: 'near',
    failed: 'failed',
    refused: 'refused',
    over: 'over',
    disabled: 'disabled',
    skipped: 'skipped',
    canceled: 'canceled',
  } as Readonly<Record<string, string>>,
  endpointState: {
    active: 'active',
    failing: 'failing',
    blocked: 'blocked',
    held: 'held',
    probing: 'probing',
    paused: 'paused',
    disabled: 'disabled',
    unverified: 'not verified',
  },
  endpointWhy: {
    probing: 'one attempt tests whether it works again',
    failing: 'no attempt has succeeded since',
    blocked: 'dead letters wait for a person',
    held: { failing: 'it keeps failing', slowed_down: 'its receiver asked to slow down' } as Readonly<Record<string, string>>,
    disabled: { gone: 'its receiver answered 410 Gone', failing: 'every attempt failed for days' } as Readonly<
      Record<string, string>
    >,
    /** Off for a reason that needs no operator. */
    off: {
      operator: 'by an operator',
      owner: 'by its owner',
      owner_inactive: 'its owner is inactive',
    } as Readonly<Record<string, string>>,
    unverified: { unverified: 'its owner has not verified it', url_changed: 'its owner has not verified its new URL' },
  },
  /** Reasons of deliveries in other words than the server's, where those are for operators. */
  reasons: {} as Readonly<Record<string, { title: string; meaning: string; advice: string }>>,
  /** The owner of an endpoint that belongs to no partner. */
  operator: 'operator',
  due: 'due',
  nextTry: (at: ReactNode): ReactNode => <>next try {at}</>,
  /** What an event names as the cause of its change, if it is no call. */
  causes: {
    attempts: 'the outcome of attempts',
    stub: 'a trigger of the stub',
  } as Readonly<Record<string, string>>,
  imbalance: {
    missing: {
      events: (amount: number) => `${events(amount)} ${are(amount)} missing`,
      deliveries: (amount: number) => `${deliveries(amount)} ${are(amount)} missing`,
      attempts: (amount: number) => `${attempts(amount)} ${are(amount)} missing`,
    },
    surplus: {
      events: (amount: number) => `${events(amount)} ${are(amount)} too many`,
      deliveries: (amount: number) => `${deliveries(amount)} ${are(amount)} too many`,
      attempts: (amount: number) => `${attempts(amount)} ${are(amount)} too many`,
    },
  },
  services: {
    pos: { about: 'sales, payments, stock', subjects: 'Stores' },
    cohesion: { about: 'social programmes', subjects: 'Structures' },
    operator: { about: 'events about endpoints' },
  },
  serviceChoice: (service: string, about: string) => `${service}: ${about}`,
  endpointForm: {
    new: 'New endpoint',
    created: 'Endpoint created',
    sameUrl: (ids: string) => `It has the URL and some of the events of ${ids}: the receiver gets those twice.`,
    create: 'Create endpoint',
    edit: 'Edit endpoint',
    changed: 'The endpoint was changed. The next attempt uses the new settings.',
    copied: 'I have copied it: send a test event',
    service: 'Service',
    serviceOfOwner: 'It follows from the owner.',
    serviceHelp: 'The service whose events it receives. It cannot be changed later.',
    url: 'URL',
    urlHelp: 'An https URL with a public address.',
    description: 'Description',
    descriptionHelp: 'What it is for',
    eventTypes: 'Event types',
    eventTypesHelp: 'None: all events of the service, including future ones.',
    perimeterHelp: 'Press Enter after each id. None: all.',
    filter: 'Filter on the payload',
    filterHelp: 'JSON. Only events that meet all conditions are sent. Empty: all.',
    tryFilter: 'Try on recent events',
    headers: 'Headers of the receiver',
    headersHelp: 'One line each: name, colon, value. Values are never shown. Without a value, the stored one is kept.',
    basicName: 'User name',
    basicNameHelp: 'For basic authentication. Empty: none.',
    basicPassword: 'Password',
    basicPasswordHelp: 'Empty: the stored one is kept.',
    inFlight: 'Concurrent attempts',
    inFlightHelp: 'Empty: the default.',
    perSecond: 'Attempts per second',
    perSecondHelp: 'Empty: no limit.',
    retryFor: 'Hours of retries',
    retryForHelp: 'From 1 to 240, from the event on. Empty: the schedule of the gateway.',
    ordered: 'In order',
    orderedHelp: 'Sends one delivery after another. One that fails blocks those behind it while it is retried.',
    orderBy: 'Order of',
    orderByHelp: 'By store or structure, one that fails does not delay the events of others.',
    orderings: { endpoint: 'all events', subject: 'the events of each store or structure' },
    onDeadLetter: 'After a dead letter',
    onDeadLetterHelp: 'When the retries of a delivery have ended without success.',
    deadLetterRules: { skip: 'go on with the next one', block: 'wait until somebody resends or skips it' },
  },
  resource: {
    active: 'active',
    notActive: 'not active',
    activeLabel: 'Active',
    yes: 'yes',
    no: 'no',
    noneYet: 'None yet',
    actions: 'Actions',
    chooseOne: 'Choose one',
    ask: (action: string, subject: string) => (subject === '' ? `${action}?` : `${action}: ${subject}?`),
    titled: (action: string, subject: string) => (subject === '' ? action : `${action}: ${subject}`),
    inZone: (label: string, zone: string) => `${label} (${zone})`,
    newestOnly: (amount: number) => `Only the newest ${amount} are shown.`,
    notFound: (id: string) => `${id} was not found`,
    notFoundAdvice: 'It may have been removed, or the address is wrong.',
    copied: 'I have copied it',
    sentEvent: (type: ReactNode): ReactNode => <>Sent the event {type}.</>,
    showEvents: 'Show these events',
    answered: (answer: string) => `The server answered: ${answer}`,
    noEvent: 'No event was sent.',
  },
  retry: {
    title: 'Retry deliveries now',
    recovery: 'Recovery',
    statuses: {
      pending: 'Pending (waiting for their schedule or turn)',
      failed: 'Failed (dead letters)',
      skipped: 'Skipped (their endpoint was not active)',
    },
    dropped: (filters: string) => `Deliveries cannot be retried by ${filters}`,
    droppedNext: 'Remove the filter or correct it: without it, more deliveries would be sent than the list shows.',
    notActive: 'The endpoint is not active, so every delivery would be refused',
    notActiveNext: 'Resume it first and send a test event.',
    pace: 'Pace (deliveries per second)',
    paceHelp: "1 to 1,000. Live traffic always goes first, and the endpoint's own limits hold.",
    counting: 'Counting …',
    onlyOperator: 'Only an operator can retry deliveries.',
    nothing: 'Nothing to retry',
    now: 'Retry now',
    retry: (amount: number) => `Retry ${deliveries(amount)} now`,
    noMatch: 'No deliveries match.',
    /** `time` is the expected duration; null if it is not known. */
    wouldBeSent: (amount: number, toEndpoints: number, time: string | null): ReactNode => (
      <>
        <b>{deliveries(amount)}</b>
        {toEndpoints > 1 && ` to ${endpoints(toEndpoints)}`} would be sent
        {time !== null && `, in about ${time}`}.
      </>
    ),
    pendingNote: 'Held endpoints are tested at once. The schedule of a pending delivery continues if it fails.',
    wouldBeRefused: (amount: number) => `${count(amount)} of them would be refused: the endpoint is not active.`,
    given: {
      allEndpoints: 'all endpoints',
      event_id: (id: string) => `event ${id}`,
      q: (q: string) => `text “${q}”`,
      from: (at: string) => `from ${at}`,
      to: (at: string) => `to ${at}`,
    },
    deliveries: 'Deliveries',
    chooseOne: 'Choose at least one.',
    error: 'Error',
    created: 'Created',
  },
  recovery: {
    started: (at: ReactNode): ReactNode => <>started {at}</>,
    results: { delivered: 'delivered', pending: 'pending', failed: 'failed', refused: 'refused' },
    share: (result: string, amount: number, total: number) => `${result}: ${deliveries(amount)} of ${count(total)}`,
    processed: (done: number, total: number) => `${count(done)} of ${count(total)} processed`,
    processedLeft: (done: number, total: number, time: string) =>
      `${count(done)} of ${count(total)} processed, about ${time} left`,
    allDelivered: (done: number, total: number) => `${count(done)} of ${count(total)} processed: all were delivered.`,
    isPaused: (done: number, total: number) =>
      `${count(done)} of ${count(total)} processed. Paused: queued deliveries are still sent.`,
    amount: (amount: number, result: string) => `${count(amount)} ${result}`,
    pause: 'Pause',
    resume: 'Resume',
    setPace: 'Set pace',
    cancel: 'Cancel recovery',
    cancelTitle: 'Cancel this recovery?',
    cancelEffects: (left: number) =>
      `${plural(left, 'delivery is', 'deliveries are')} not processed yet and will not be sent. Another recovery can send them.`,
    cancelQueued: 'Attempts that are already queued are still made.',
    done: { paused: 'The recovery is paused.', running: 'The recovery continues.', canceled: 'The recovery was cancelled.' },
    paceChanged: 'The pace was changed.',
    all: 'all',
    byResult: 'Deliveries by result',
    noItems: {
      '': 'None.',
      delivered: 'None delivered.',
      pending: 'None pending.',
      failed: 'None failed.',
      refused: 'None refused.',
    },
    noLongerKept: 'no longer kept',
    firstOnly: (amount: number) => `Only the first ${amount} are shown.`,
  },
};

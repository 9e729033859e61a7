import { ask } from './api.js';
import { headersOf } from './calls.js';
import { badge, block, button, byId, copier, counted, el, fill, keyedList, opening, pretty, say, time } from './dom.js';
import { field, form, readJson, valuesOf } from './form.js';

/** As many deliveries as are shown. */
const most = 50;

/** @typedef {{ id: string, url: string, events: string[] | null, secret: string, owner: string | null }} Endpoint */
/** @typedef {{ id: string, number: number, manual: boolean, outcome: string, error: string | null, request_headers: Record<string, string>, response_status: number | null, response_headers: Record<string, string | string[]> | null, response_body: string | null, timings: Record<string, number>, next_attempt_at: string | null, next_attempt_why: string | null, started_at: string }} Attempt */
/** @typedef {{ id: string, event_id: string, event_type: string, endpoint_id: string, url: string | null, body: string | null, status: string, attempts: number, attempts_made: Attempt[], reason: string | null, advice: string | null, response_status: number | null, waits_for: string | null, next_attempt_at: string | null, created_at: string }} Delivery */

/** @typedef {{ operatorToken: string, refresh: () => Promise<void>, endpointOf: (id: string) => Endpoint | undefined }} DeliveryParts */

/**
 * The deliveries, the endpoints, and a form that sends events.
 * @param {{ events: { type: string, summary: string }[], operatorToken: string, refresh: () => Promise<void> }} parts
 */
export function webhooksView({ events, operatorToken, refresh }) {
  /** @type {Endpoint[]} */
  let endpoints = [];
  const deliveries = keyedList({
    label: 'Deliveries, newest first',
    key: (/** @type {Delivery} */ { id }) => id,
    create: (delivery) =>
      deliveryItem(delivery, { refresh, operatorToken, endpointOf: (id) => endpoints.find((one) => one.id === id) }),
    empty: () => el('p', { className: 'empty' }, 'Nothing was delivered yet. Add an endpoint, then send an event.'),
  });
  byId('part-deliveries').append(deliveries.node);
  const registered = endpointsPart(events, refresh);
  byId('part-trigger').append(...triggerPart(events, refresh));
  return {
    /** @param {Endpoint[]} now */
    show(now) {
      endpoints = now;
      registered.show(now);
    },
    async refresh() {
      /** @type {Delivery[]} */
      const listed = await ask('GET', `/deliveries?limit=${most}`);
      deliveries.show(listed.toReversed());
    },
  };
}

/** @param {Delivery} delivery @param {DeliveryParts} parts */
function deliveryItem(delivery, parts) {
  let now = delivery;
  const show = (/** @type {HTMLElement} */ details) => fill(details, ...deliveryDetails(now, parts));
  const { node, head, details } = opening({ open: show });
  return {
    node,
    /** @param {Delivery} changed */
    update(changed) {
      now = changed;
      const { created_at, event_type, url, status, attempts, response_status, reason } = now;
      fill(
        head,
        el('span', { className: 'when' }, time(created_at)),
        el('span', { className: `badge ${status}` }, status),
        el('span', { className: 'what' }, el('b', {}, event_type), ` to ${url ?? 'a removed endpoint'}`),
        el('span', { className: 'name' }, counted(attempts, 'attempt')),
        response_status === null ? el('span', { className: 'took' }, reason ?? '') : badge(response_status),
      );
      if (!details.hidden) show(details);
    },
  };
}

/**
 * What the receiver's answer says about the signature, which only the receiver checks.
 * @param {Delivery} delivery @param {string} operatorToken @returns {HTMLElement | false}
 */
function verdictOn({ status, response_status, id }, operatorToken) {
  if (status === 'delivered') return el('p', {}, `The receiver accepted it with ${response_status}.`);
  if (response_status !== 401 && response_status !== 403) return false;
  return el(
    'div',
    {},
    el(
      'p',
      {},
      `The receiver refused it with ${response_status}: its check of the signature may have failed. This finds the cause:`,
    ),
    block(
      'The doctor',
      `npx passerelle doctor delivery ${id} --at ${location.origin} --token ${operatorToken} --secret YOUR_SECRET`,
    ),
  );
}

/** @param {Delivery} delivery @param {DeliveryParts} parts */
function deliveryDetails(delivery, { refresh, operatorToken, endpointOf }) {
  const { id, event_id, endpoint_id, advice, body, next_attempt_at, waits_for, attempts_made } = delivery;
  const { secret, owner } = endpointOf(endpoint_id) ?? {};
  const next =
    waits_for === 'turn'
      ? 'It waits for its turn.'
      : next_attempt_at !== null && `The next attempt is due at ${next_attempt_at}. Advance the clock to make it now.`;
  return [
    el('p', {}, `webhook-id ${event_id}, delivery ${id}`),
    owner != null && el('p', {}, `The endpoint belongs to ${owner}.`),
    verdictOn(delivery, operatorToken),
    advice !== null && el('p', {}, advice),
    next && el('p', {}, next),
    secret !== undefined &&
      el(
        'p',
        {},
        'Signed with ',
        el('code', {}, secret),
        ' ',
        copier('the signing secret', () => secret),
      ),
    el(
      'p',
      { className: 'buttons' },
      button('Send again', async () => {
        const { status, response_status } = await ask('POST', `/deliveries/${id}/resend`);
        say(`Sent again: ${status}${response_status === null ? '' : `, the receiver answered ${response_status}`}.`);
        return refresh();
      }),
    ),
    body !== null && block('Body', pretty(body)),
    ...attempts_made.toReversed().map(attemptPart),
  ];
}

/** @param {Attempt} attempt */
function attemptPart({
  number,
  manual,
  outcome,
  error,
  started_at,
  timings,
  request_headers,
  response_status,
  response_headers,
  response_body,
  next_attempt_why,
}) {
  const took = timings.total === undefined ? '' : `, ${Math.round(timings.total)} ms`;
  const answer = response_status === null ? outcome : `answered ${response_status}`;
  return el(
    'div',
    { className: 'attempt' },
    el('h3', {}, `Attempt ${number}: ${answer}${manual ? ', by hand' : ''}`),
    el('p', {}, `${started_at}${took}`),
    error !== null && el('p', {}, error),
    next_attempt_why !== null && el('p', {}, next_attempt_why),
    headersOf('Request headers', pairs(request_headers)),
    response_headers !== null && headersOf('Response headers', pairs(response_headers)),
    response_body !== null && response_body !== '' && block('Response body', pretty(response_body)),
  );
}

/** @param {Record<string, string | string[]>} headers */
const pairs = (headers) =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: one })));

/** @param {{ type: string, summary: string }[]} events @param {() => Promise<void>} refresh */
function triggerPart(events, refresh) {
  const fields = [
    field({
      name: 'event',
      label: 'Event',
      kind: 'select',
      options: events.map(({ type, summary }) => [type, `${type}: ${summary}`]),
    }),
    field({ name: 'on', label: 'On the record', hint: 'An id, a year or a reference. Empty: one that allows the change.' }),
    field({ name: 'to', label: 'Also to this URL', placeholder: 'http://127.0.0.1:3000/hook', hint: 'For this event only.' }),
    field({ name: 'duplicates', label: 'Repeat so many times', kind: 'number', hint: 'With the same webhook-id.' }),
    field({
      name: 'data',
      label: 'Data',
      kind: 'area',
      read: readJson,
      hint: 'JSON, merged into an example. Then nothing changes in the stub.',
    }),
  ];
  const result = el('div', { className: 'result' });
  const [event, on, ...rest] = fields.map(({ node }) => node);
  const node = form({
    submit: 'Send the event',
    label: 'Send an event',
    fields: () => fields,
    content: [
      /** @type {Node} */ (event),
      /** @type {Node} */ (on),
      el('details', {}, el('summary', {}, 'Also elsewhere, again, or with other data'), ...rest),
    ],
    async send() {
      result.replaceChildren();
      const [sent] = await ask('POST', '/trigger', valuesOf(fields));
      result.replaceChildren(
        el('p', {}, el('b', {}, sent.event), ` ${sent.example ? 'An example: nothing changed. ' : ''}${sent.because}`),
        el('p', {}, sent.deliveries.length === 0 ? 'No endpoint wanted it.' : sent.deliveries.map(oneLine).join('; ')),
      );
      say(`Sent ${sent.event}.`);
      await refresh();
    },
  });
  return [node, result];
}

/** @param {Delivery} delivery */
const oneLine = ({ url, status, response_status, reason }) =>
  `${status}: ${url}${response_status === null ? (reason === null ? '' : `, ${reason}`) : `, ${response_status}`}`;

/** @param {{ type: string }[]} events @param {() => Promise<void>} refresh */
function endpointsPart(events, refresh) {
  const list = keyedList({
    label: 'Endpoints',
    key: (/** @type {Endpoint} */ { id }) => id,
    create: (endpoint) => ({ node: endpointItem(endpoint, refresh), update() {} }),
    empty: () => el('p', { className: 'empty' }, 'No endpoints: no receiver gets webhooks.'),
  });
  const url = field({ name: 'url', label: 'URL', placeholder: 'http://127.0.0.1:3000/hook' });
  const secret = field({ name: 'secret', label: 'Signing secret', hint: 'Empty: that of the stub.', placeholder: 'whsec_...' });
  const owner = field({
    name: 'owner',
    label: 'Owner',
    placeholder: 'account:ID or user:ID',
    hint: 'It gets only what its owner may see. Empty: the operator, who may see all.',
  });
  const wanted = events.map(({ type }) => field({ name: type, label: type, kind: 'check' }));
  const types = el(
    'fieldset',
    {},
    el('legend', {}, 'Events'),
    el('span', { className: 'hint' }, 'None chosen: all of them.'),
    ...wanted.map(({ node }) => node),
  );
  const node = form({
    submit: 'Add the endpoint',
    label: 'Add an endpoint',
    fields: () => [url, owner, secret],
    content: [
      url.node,
      el('details', {}, el('summary', {}, 'Of a partner, only some events, or another secret'), owner.node, types, secret.node),
    ],
    async send() {
      const chosen = wanted.filter((one) => one.value()).map(({ name }) => name);
      await ask('POST', '/endpoints', {
        url: '',
        ...valuesOf([url, owner, secret]),
        ...(chosen.length > 0 && { events: chosen }),
      });
      say('The endpoint is added.');
      url.input.value = '';
      await refresh();
    },
  });
  byId('part-endpoints').append(list.node, el('h3', {}, 'Add an endpoint'), node);
  return list;
}

/** @param {Endpoint} endpoint @param {() => Promise<void>} refresh */
function endpointItem({ id, url, events, secret, owner }, refresh) {
  const remove = button(
    'Remove',
    async () => {
      await ask('DELETE', `/endpoints/${id}`);
      say(`The endpoint ${url} is removed.`);
      return refresh();
    },
    { 'aria-label': `Remove ${url}` },
  );
  const facts = el(
    'div',
    {},
    el('b', {}, url),
    el(
      'span',
      { className: 'hint' },
      `${events?.join(', ') ?? 'all events'}, ${owner === null ? "the operator's" : `of ${owner}`}`,
    ),
  );
  const shown = el(
    'span',
    { className: 'secret' },
    el('code', {}, secret),
    ' ',
    copier(`the secret of ${url}`, () => secret),
  );
  facts.append(shown);
  return el('li', { className: 'fault' }, facts, remove);
}

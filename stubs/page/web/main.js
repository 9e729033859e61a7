import { aboutView } from './about.js';
import { ask, json, keepToken, Refused } from './api.js';
import { activeView } from './assume.js';
import { callsView } from './calls.js';
import { byId, copier, el, say } from './dom.js';
import { faultsView, removeFault } from './faults.js';
import { field, form } from './form.js';
import { paymentsView } from './payments.js';
import { registerView } from './register.js';
import { repliesView } from './replies.js';
import { webhooksView } from './webhooks.js';

const pollMs = 1000;
const views = ['calls', 'webhooks', 'payments', 'replies', 'assumptions', 'stub'];

/** @type {Record<string, any>} */
const firstCalls = {
  pos: (/** @type {any} */ { apiKey, apiSecret }) =>
    `curl -s ${location.origin}/api/auth -H 'Content-Type: application/json' -d '${JSON.stringify({ api_key: apiKey, api_secret: apiSecret })}'`,
  cohesion: (/** @type {any} */ { token }) =>
    `curl -s '${location.origin}/api/v1/indicateurs?per_page=2' -H 'Authorization: Bearer ${token}'`,
};

/** The view that the address names. */
const viewNow = () => {
  const named = location.hash.slice(1);
  const isThere = views.includes(named) && byId('nav').querySelector(`a[href="#${named}"]:not([hidden])`) !== null;
  return isThere ? named : 'calls';
};

function showView() {
  for (const part of document.querySelectorAll('[data-view]'))
    if (part instanceof HTMLElement) part.hidden = part.dataset.view !== viewNow();
  for (const link of byId('nav').querySelectorAll('a'))
    link.ariaCurrent = link.getAttribute('href') === `#${viewNow()}` ? 'page' : null;
}

/** @param {() => Promise<void>} refresh */
function clockPart(refresh) {
  const shown = el('time', {});
  const by = field({ name: 'by', label: 'Advance the clock by', value: '1h', hint: 'Such as 5m, 27h or 30s.' });
  const node = form({
    submit: 'Advance',
    label: 'Clock',
    className: 'inline',
    fields: () => [by],
    content: [by.node],
    async send() {
      const { now } = await ask('POST', '/clock/advance', { by: by.input.value.trim() }).catch((error) => {
        if (error instanceof Refused) error.details = [{ field: 'by', message: error.message }];
        throw error;
      });
      say(`The clock is at ${now}.`);
      await refresh();
    },
  });
  byId('clock').append(el('div', { className: 'now' }, el('span', { className: 'hint' }, 'The stub’s clock (UTC)'), shown), node);
  return {
    /** @param {string} now */
    show(now) {
      shown.dateTime = now;
      shown.textContent = now.replace('T', ' ').slice(0, 19);
    },
  };
}

/** Builds the parts of the page from the stub's document and state. @param {any} state */
async function build(state) {
  const [document_, examples] = await Promise.all([json(`/docs/${state.api}.json`), ask('GET', '/examples')]);
  const operations = Object.entries(document_.paths).flatMap(([path, item]) =>
    Object.entries(/** @type {Record<string, any>} */ (item)).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      label: `${operationId}: ${method.toUpperCase()} ${path}`,
    })),
  );
  // The document lists an operation with two methods twice. An operation without examples is a second path of another one.
  const unique = operations.filter(
    ({ id }, at) =>
      operations.findIndex((one) => one.id === id) === at &&
      examples.some((/** @type {{ operation: string }} */ { operation }) => operation === id),
  );
  const events = Object.entries(document_.webhooks ?? {}).map(([type, item]) => ({
    type,
    summary: /** @type {any} */ (item).post?.summary ?? '',
  }));
  const clock = clockPart(refresh);
  const active = activeView({ refresh });
  const register = registerView({ document_, operations: unique, refresh });
  const faults = faultsView({ operations: unique, examples, refresh });
  const calls = callsView({
    operations: unique,
    refresh,
    tryLine: () => firstCalls[state.api](state.credentials),
    onFail: ({ operation = '' }) => faults.choose(operation),
    onRemoveFault: (id) => removeFault(id).then(refresh),
  });
  const webhooks = webhooksView({ events, refresh, operatorToken: state.operatorToken });
  const payments = state.api === 'pos' ? paymentsView({ refresh }) : undefined;
  for (const link of byId('nav').querySelectorAll('a[hidden]')) link.toggleAttribute('hidden', payments === undefined);
  repliesView({ operations: unique, examples, refresh });
  aboutView({ state, refresh });
  byId('title').textContent = `Stub of ${state.api}`;
  document.title = `Stub of ${state.api} - Passerelle`;
  byId('address').append(
    el('code', {}, location.origin),
    ' ',
    copier('the address', () => location.origin),
  );
  return { clock, active, register, faults, calls, webhooks, payments };
}

/** @type {Awaited<ReturnType<typeof build>> | undefined} */
let parts;
let isBuilding = false;

/** Shows what the stub says now. */
async function refresh() {
  const state = await ask('GET', '');
  byId('token').hidden = true;
  if (!parts) {
    if (isBuilding) return;
    isBuilding = true;
    try {
      parts = await build(state);
    } finally {
      isBuilding = false;
    }
    showView();
  }
  parts.clock.show(state.clock);
  parts.faults.show(state.faults);
  parts.webhooks.show(state.endpoints);
  parts.payments?.show(state.mobileMoney);
  if (viewNow() === 'calls') await parts.calls.refresh();
  if (viewNow() === 'webhooks') await parts.webhooks.refresh();
  if (viewNow() === 'payments') await parts.payments?.refresh();
  if (viewNow() === 'assumptions') await parts.register.refresh();
  parts.register.show(state.assumptions);
  parts.active.show(state.assumptions, parts.register.entries());
}

/** Asks for the operator's token, which pages on other machines need. */
function tokenPart() {
  const token = field({ name: 'token', label: 'Operator token', hint: 'The stub prints it at its start. It stays in this tab.' });
  byId('token').append(
    form({
      submit: 'Open',
      label: 'Operator token',
      fields: () => [token],
      content: [token.node],
      send() {
        keepToken(token.input.value.trim());
        return refresh();
      },
    }),
  );
}

let wasLost = false;

/** @param {unknown} error */
function show(error) {
  const trouble = byId('trouble');
  if (error instanceof Refused && error.status === 403) {
    byId('token').hidden = false;
    return;
  }
  wasLost = true;
  trouble.textContent =
    error instanceof Refused ? error.message : `No stub answers at ${location.origin}. The page goes on asking.`;
  trouble.hidden = false;
}

async function poll() {
  if (!document.hidden) {
    try {
      await refresh();
      if (wasLost) byId('trouble').hidden = true;
      wasLost = false;
    } catch (error) {
      show(error);
    }
  }
  setTimeout(poll, pollMs);
}

addEventListener('hashchange', () => {
  showView();
  say('');
  refresh().catch(show);
});
document.addEventListener('visibilitychange', () => document.hidden || refresh().catch(show));
tokenPart();
void poll();

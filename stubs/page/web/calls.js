import { ask, json, save, text } from './api.js';
import { badge, block, button, byId, counted, el, fill, keyedList, opening, pretty, say, time } from './dom.js';
import { field } from './form.js';

const step = 100;
/** As many as the stub keeps. */
const most = 2000;

/** @typedef {{ id: string, at: string, method: string, path: string, url: string, operation?: string, status: number, durationMs: number, refusal?: { code?: string, message: string }, fault?: string, faultRules?: string[] }} Call */

/**
 * The calls, newest first, and what each sent and got.
 * @param {{ operations: { id: string, label: string }[], tryLine: () => string, onFail: (call: Call) => void, onRemoveFault: (id: string) => Promise<void>, refresh: () => Promise<void> }} parts
 */
export function callsView({ operations, tryLine, onFail, onRemoveFault, refresh }) {
  let limit = step;
  const operation = field({
    name: 'operation',
    label: 'Operation',
    kind: 'select',
    options: [['', 'All'], ...operations.map(({ id }) => /** @type {[string, string]} */ ([id, id]))],
  });
  const status = field({
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: [['', 'All'], ...['2xx', '3xx', '4xx', '5xx'].map((one) => /** @type {[string, string]} */ ([one, one]))],
  });
  for (const { input } of [operation, status]) input.addEventListener('change', () => refresh());
  const filters = () => {
    const given = Object.entries({ operation: operation.value(), status: status.value() }).filter(([, value]) => value);
    return new URLSearchParams(/** @type {[string, string][]} */ (given));
  };
  const list = keyedList({
    label: 'Calls, newest first',
    key: (/** @type {Call} */ { id }) => id,
    create: (call) => callItem(call, { onFail, onRemoveFault }),
    empty: () =>
      filters().size > 0
        ? el('p', { className: 'empty' }, 'No call matches the filters.')
        : el('div', { className: 'empty' }, el('p', {}, 'No calls yet. Try one in a shell:'), block('First call', tryLine())),
  });
  const more = button('Show older calls', () => {
    limit += step;
    return refresh();
  });
  const tools = el(
    'div',
    { className: 'tools' },
    operation.node,
    status.node,
    el(
      'div',
      { className: 'buttons' },
      button('Save as HAR', () => save(`/_stub/calls/har?${filters()}`, 'calls.har')),
      button('Save as curl', () => save(`/_stub/calls/curl?${filters()}`, 'calls.sh')),
      button('Clear', async () => {
        await ask('DELETE', '/calls');
        say('The calls are cleared.');
        return refresh();
      }),
    ),
  );
  byId('part-calls').append(tools, list.node, el('p', {}, more));
  return {
    async refresh() {
      const query = filters();
      query.set('brief', 'true');
      query.set('limit', String(limit));
      /** @type {Call[]} */
      const calls = await ask('GET', `/calls?${query}`);
      more.hidden = calls.length < limit || limit >= most;
      list.show(calls.toReversed());
    },
  };
}

/** @param {Call} call @param {{ onFail: (call: Call) => void, onRemoveFault: (id: string) => Promise<void> }} actions */
function callItem(call, { onFail, onRemoveFault }) {
  const { node, head } = opening({
    open: async (details) => fill(details, ...(await detailsOf(call, { onFail, onRemoveFault }))),
  });
  const { at, method, url, operation, status, durationMs, refusal, fault } = call;
  const why = fault ?? refusal?.message;
  return {
    node,
    update() {
      fill(
        head,
        el('span', { className: 'when' }, time(at)),
        badge(status),
        el('span', { className: 'what' }, el('b', {}, method), ` ${url}`),
        el('span', { className: 'name' }, operation ?? 'no operation'),
        el('span', { className: 'took' }, `${Math.round(durationMs)} ms`),
        why !== undefined &&
          el('span', { className: 'why' }, fault === undefined ? '' : el('span', { className: 'mark' }, 'fault'), ` ${why}`),
      );
    },
  };
}

/** @param {Call} call @param {{ onFail: (call: Call) => void, onRemoveFault: (id: string) => Promise<void> }} actions */
async function detailsOf(call, { onFail, onRemoveFault }) {
  const { id, fault, faultRules = [], refusal, operation } = call;
  const [archive, curl] = await Promise.all([json(`/_stub/calls/har?id=${id}`), text(`/_stub/calls/curl?id=${id}`)]);
  const [entry] = archive.log.entries;
  if (!entry) return [el('p', {}, 'The stub no longer has this call.')];
  const { request, response } = entry;
  return [
    el('p', {}, `${entry.startedDateTime}, ${id}`),
    fault !== undefined && el('p', {}, 'Fault: ', el('code', {}, fault)),
    refusal !== undefined && el('p', {}, `Refused: ${refusal.message}${refusal.code === undefined ? '' : ` (${refusal.code})`}`),
    el(
      'p',
      { className: 'buttons' },
      operation !== undefined && button('Make these calls fail', () => onFail(call)),
      ...faultRules.map((rule) => button(`Remove ${rule}`, () => onRemoveFault(rule))),
    ),
    headersOf('Request headers', request.headers),
    request.postData && block('Request body', pretty(request.postData.text)),
    call.status === 0
      ? el('p', {}, 'No reply began: the connection ended before.')
      : headersOf('Response headers', response.headers),
    response.content.text !== '' && block('Response body', pretty(response.content.text)),
    block('As curl, without secrets', curl.trim()),
  ];
}

/** @param {string} name @param {{ name: string, value: string }[]} headers */
export const headersOf = (name, headers) =>
  el(
    'details',
    { className: 'headers' },
    el('summary', {}, `${name} (${counted(headers.length, 'header')})`),
    el('dl', {}, ...headers.flatMap((one) => [el('dt', {}, one.name), el('dd', {}, one.value)])),
  );

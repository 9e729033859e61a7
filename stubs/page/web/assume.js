import { ask } from './api.js';
import { button, byId, el, fill, say } from './dom.js';
import { field, form } from './form.js';

/** An active alternative. @typedef {{ gap: string, alternative: string, text: string }} Active */

/** What the register says of each gap, by its id. Empty until it is loaded. @typedef {ReadonlyMap<string, { question: string, choice: string }>} Entries */

/** @param {string} gap @param {string} id */
export const assumedText = (gap, id) => `${gap}=${id}`;

/** What the page said last of active alternatives, and of which. @type {{ text: string, about: string | undefined } | undefined} */
let notice;

/** Says something of the active alternatives. Without them, it is about the list that is shown next. @param {string} text @param {Active[]} [active] */
function announce(text, active) {
  notice = { text, about: active && idsOf(active) };
  say(text);
}

/** @param {Active[]} active */
const idsOf = (active) => active.map(({ gap, alternative }) => assumedText(gap, alternative)).join(', ');

/** @param {Active[]} active */
const announceAll = (active) =>
  announce(active.length === 0 ? 'No alternative is active.' : `Active now: ${idsOf(active)}.`, active);

/** A reset, or somebody else, may have changed what the page said last. @param {Active[]} active */
function followList(active) {
  if (notice === undefined || byId('said').textContent !== notice.text) return;
  notice.about ??= idsOf(active);
  if (notice.about !== idsOf(active)) announceAll(active);
}

/** Makes alternatives active too, and says which are. @param {string | Record<string, string>} assumed @param {() => Promise<void>} refresh */
export async function play(assumed, refresh) {
  /** @type {Active[]} */
  const active = await ask('POST', '/assume', assumed);
  announceAll(active);
  await refresh();
}

/** @param {string} gap @param {() => Promise<void>} refresh */
export async function endPlaying(gap, refresh) {
  await ask('DELETE', `/assume/${encodeURIComponent(gap)}`);
  announce(`${gap} is answered as the register chose.`);
  await refresh();
}

/**
 * The alternatives under which the stub answers: beside the calls if there are any, and beside the register with what changes them.
 * @param {{ refresh: () => Promise<void> }} parts
 */
export function activeView({ refresh }) {
  const beside = el('ul', { className: 'rules' });
  byId('part-assume').append(
    el('p', {}, 'The stub answers under alternatives of the gap register, or with harmless changes:'),
    beside,
    el('p', {}, el('a', { href: '#assumptions' }, 'Change them')),
  );
  const list = el('ul', { className: 'list', 'aria-label': 'Active alternatives' });
  const none = el('p', { className: 'empty' }, 'None: the stub answers as the register chose.');
  const clear = button('End all', async () => {
    await ask('DELETE', '/assume');
    announceAll([]);
    return refresh();
  });
  byId('part-active').append(none, list, el('p', {}, clear), el('div', { className: 'more' }, textForm(refresh)));
  let shown = '';
  return {
    /** @param {Active[]} active @param {Entries} entries */
    show(active, entries) {
      const now = JSON.stringify([active, entries.size]);
      if (now === shown) return;
      shown = now;
      followList(active);
      byId('beside-calls').hidden = active.length === 0;
      fill(beside, ...active.map((one) => el('li', {}, nameOf(one), ` ${one.text}`)));
      const focused = document.activeElement?.closest('#part-active .list li');
      fill(list, ...active.map((one) => activeItem(one, { entry: entries.get(one.gap), refresh })));
      // The button that had the focus may be gone with its alternative.
      if (focused) byId('part-active').querySelector('input')?.focus();
      none.hidden = active.length > 0;
      list.hidden = active.length === 0;
      clear.hidden = active.length < 2;
    },
  };
}

/** @param {Active} one */
const nameOf = ({ gap, alternative }) => el('a', { href: registerHref(gap) }, el('code', {}, assumedText(gap, alternative)));

/** Where the words of an entry are. Harmless changes are no questions of the register. @param {string} gap */
export const registerHref = (gap) =>
  gap.startsWith('harmless.') ? '/docs/guides/partners#harmless-changes' : `/docs/gaps#${gap}`;

/** @param {Active} one @param {{ entry: { question: string, choice: string } | undefined, refresh: () => Promise<void> }} parts */
const activeItem = (one, { entry, refresh }) =>
  el(
    'li',
    { className: 'fault' },
    el(
      'div',
      {},
      nameOf(one),
      entry && el('span', {}, entry.question),
      el('span', {}, entry && 'Now: ', one.text),
      entry && el('span', { className: 'hint' }, `Instead of: ${entry.choice}`),
    ),
    button('End', () => endPlaying(one.gap, refresh), { 'aria-label': `End ${assumedText(one.gap, one.alternative)}` }),
  );

/** @param {() => Promise<void>} refresh */
function textForm(refresh) {
  const names = field({
    name: 'assume',
    label: 'By name, as for --assume',
    placeholder: 'harmless=all',
    hint: 'Several are separated by commas.',
  });
  return form({
    submit: 'Play',
    label: 'Play by name',
    fields: () => [names],
    content: [names.node],
    async send() {
      await play(names.input.value, refresh).catch((error) => {
        // The names have one field.
        if (error.details) error.details = [{ field: 'assume', message: error.message }];
        throw error;
      });
      names.input.value = '';
    },
  });
}

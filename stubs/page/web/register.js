import { ask, Refused } from './api.js';
import { assumedText, endPlaying, play, registerHref } from './assume.js';
import { button, byId, counted, el, fill, opening } from './dom.js';
import { field } from './form.js';

/** @typedef {import('./assume.js').Active} Active */
/** @typedef {{ id: string, text: string, played: boolean, not_played_because?: string }} Alternative */
/** @typedef {{ id: string, section: string, quote: string, question: string, choice: string, why: string, named_alternatives: Alternative[] }} Gap */

const isHarmless = (/** @type {Gap} */ { id }) => id.startsWith('harmless.');

/** Which entries are shown. @type {Record<string, { label: string, has: (gap: Gap, played: string | undefined) => boolean }>} */
const choices = {
  all: { label: 'All', has: () => true },
  active: { label: 'Those that are active', has: (_, played) => played !== undefined },
  playable: { label: 'Those that the stub can play', has: (gap) => gap.named_alternatives.some(({ played }) => played) },
  harmless: { label: 'Harmless changes', has: isHarmless },
};

/**
 * The gap register and the harmless changes, searchable, each with what it changes and a button that plays it.
 * @param {{ document_: any, operations: { id: string, label: string }[], refresh: () => Promise<void> }} parts
 */
export function registerView({ document_, operations, refresh }) {
  const search = field({ name: 'search', label: 'Search the register', placeholder: 'status, token, harmless.gzip' });
  const choice = field({
    name: 'choice',
    label: 'Entries',
    kind: 'select',
    options: Object.entries(choices).map(([name, { label }]) => [name, label]),
  });
  const found = el('p', { className: 'hint', 'aria-live': 'polite' });
  const place = el('div', {});
  byId('part-register').append(
    el('p', {}, 'What the API document leaves open, and what the stub answers instead of our choice if you play an alternative.'),
    el('div', { className: 'tools' }, search.node, choice.node),
    found,
    place,
  );
  /** @type {Map<string, string>} */
  let active = new Map();
  /** @type {ReturnType<typeof sectionsOf> | undefined} */
  let sections;
  const update = () => {
    if (!sections) return;
    const words = search.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const items = sections.flatMap((one) => one.items);
    for (const { gap, node, text, show } of items) {
      const played = active.get(gap.id);
      show(played);
      node.hidden = !(choices[choice.input.value]?.has(gap, played) && words.every((word) => text.includes(word)));
    }
    for (const one of sections) one.node.hidden = one.items.every((item) => item.node.hidden);
    const count = items.filter(({ node }) => !node.hidden).length;
    found.textContent =
      count === items.length ? counted(count, 'entry', 'entries') : `${count} of ${counted(items.length, 'entry', 'entries')}`;
  };
  search.input.addEventListener('input', update);
  choice.input.addEventListener('change', update);
  /** @type {Map<string, Gap>} */
  let entries = new Map();
  return {
    /** The entries by their ids. Empty until the register is loaded. */
    entries: () => entries,
    /** @param {Active[]} now */
    show(now) {
      const next = new Map(now.map(({ gap, alternative }) => [gap, alternative]));
      const isSame = next.size === active.size && [...next].every(([gap, alternative]) => active.get(gap) === alternative);
      active = next;
      if (!isSame) update();
    },
    /** Loads the register when it is first looked at. */
    async refresh() {
      if (sections) return;
      /** @type {Gap[]} */
      const gaps = await ask('GET', '/gaps');
      entries = new Map(gaps.map((gap) => [gap.id, gap]));
      sections = sectionsOf(gaps, { concerned: concernedBy(document_, operations), refresh });
      fill(place, ...sections.map(({ node }) => node));
      update();
    },
  };
}

/** @param {Gap[]} gaps @param {EntryParts} parts */
const sectionsOf = (gaps, parts) =>
  [...Map.groupBy(gaps, ({ section }) => section)]
    .sort(([one], [other]) => numberOf(one) - numberOf(other))
    .map(([section, entries]) => {
      const items = entries.map((gap) => entryItem(gap, parts));
      const list = el('ul', { className: 'list', 'aria-label': section }, ...items.map(({ node }) => node));
      return { node: el('section', {}, el('h3', {}, section), list), items };
    });

/** Sections of the document have a number; the harmless changes come last. @param {string} section */
const numberOf = (section) => Number.parseInt(section, 10) || Number.POSITIVE_INFINITY;

/**
 * Returns, for each entry, the operations and events whose part of the OpenAPI document names it.
 * @param {any} document_ @param {{ id: string, label: string }[]} operations @returns {Map<string, string[]>}
 */
function concernedBy(document_, operations) {
  const labels = new Map(operations.map(({ id, label }) => [id, label.replace(/^\w+: /, '')]));
  const parts = [
    ...Object.values(document_.paths).flatMap((item) => Object.values(/** @type {object} */ (item))),
    ...Object.values(document_.webhooks ?? {}).map((item) => /** @type {any} */ (item).post),
  ];
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const part of parts) {
    const label = labels.get(part.operationId) ?? part.requestBody?.content?.['application/json']?.example?.event;
    if (label === undefined) continue;
    for (const id of idsIn(part, document_)) found.set(id, [...new Set([...(found.get(id) ?? []), label])]);
  }
  return found;
}

/** The ids in every `x-gap` of a part of the document, and of what it refers to. @param {unknown} part @param {any} document_ @returns {Set<string>} */
function idsIn(part, document_) {
  const ids = new Set();
  const seen = new Set();
  const look = (/** @type {any} */ value) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const id of value['x-gap'] ?? []) ids.add(id);
    if (typeof value.$ref === 'string')
      look(
        value.$ref
          .slice(2)
          .split('/')
          .reduce((/** @type {any} */ held, /** @type {string} */ step) => held?.[step], document_),
      );
    for (const one of Object.values(value)) look(one);
  };
  look(part);
  return ids;
}

/** @typedef {{ concerned: Map<string, string[]>, refresh: () => Promise<void> }} EntryParts */

/** @param {Gap} gap @param {EntryParts} parts */
function entryItem(gap, parts) {
  /** @type {string | undefined} */
  let played;
  /** @type {ReturnType<typeof alternativeItem>[] | undefined} */
  let alternatives;
  const { node, head } = opening({
    open: (details) => {
      if (alternatives) return;
      alternatives = gap.named_alternatives.map((one) => alternativeItem(gap, one, parts.refresh));
      fill(
        details,
        ...wordsOf(gap, parts),
        el('ul', { className: 'list', 'aria-label': `Alternatives of ${gap.id}` }, ...alternatives.map((one) => one.node)),
      );
      for (const one of alternatives) one.show(played);
    },
  });
  const badge = el('span', { className: 'badge received', hidden: true });
  head.append(el('span', { className: 'what' }, el('b', {}, gap.id), ` ${gap.question}`), badge);
  return {
    gap,
    node,
    text: textOf(gap),
    /** @param {string | undefined} now the alternative that is active */
    show(now) {
      played = now;
      badge.hidden = now === undefined;
      badge.textContent = now === undefined ? '' : `active: ${now}`;
      for (const one of alternatives ?? []) one.show(now);
    },
  };
}

/** What the search looks at. @param {Gap} gap */
const textOf = ({ id, section, quote, question, choice, why, named_alternatives }) =>
  [id, section, quote, question, choice, why, ...named_alternatives.flatMap((one) => [assumedText(id, one.id), one.text])]
    .join('\n')
    .toLowerCase();

/** @param {Gap} gap @param {EntryParts} parts */
function wordsOf(gap, { concerned }) {
  const { id, section, quote, choice, why } = gap;
  const where = concerned.get(id) ?? [];
  const says = quote === '' ? `Nothing, in section ${section}.` : `“${quote}”, in section ${section}.`;
  const facts = [
    ['Our choice', choice],
    ['Why', why],
    ...(isHarmless(gap) ? [] : [['The document says', says]]),
    ...(where.length > 0 ? [['Where it shows', where.join(', ')]] : []),
  ];
  const link = isHarmless(gap) ? 'Harmless changes in the guide' : 'This entry of the gap register';
  return [
    el('dl', { className: 'facts' }, ...facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    el('p', {}, el('a', { href: registerHref(id) }, link)),
    el('h4', {}, isHarmless(gap) ? 'The change' : counted(gap.named_alternatives.length, 'alternative')),
  ];
}

/** @param {Gap} gap @param {Alternative} alternative @param {() => Promise<void>} refresh */
function alternativeItem({ id: gap }, { id, text, played, not_played_because: reason }, refresh) {
  const name = assumedText(gap, id);
  let isActive = false;
  const error = el('p', { className: 'error', role: 'alert' });
  const toggle = button('Play', async () => {
    error.textContent = '';
    try {
      await (isActive ? endPlaying(gap, refresh) : play({ [gap]: id }, refresh));
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      error.textContent = refusal.message;
    }
  });
  const note = reason === undefined ? '' : `The stub does not play it. ${reason}`;
  return {
    node: el(
      'li',
      { className: 'fault' },
      el('div', {}, el('code', {}, name), el('span', {}, text), el('span', { className: 'hint' }, note), error),
      played && toggle,
    ),
    /** @param {string | undefined} now the alternative that is active */
    show(now) {
      isActive = now === id;
      toggle.textContent = isActive ? 'End' : 'Play';
      toggle.setAttribute('aria-label', `${toggle.textContent} ${name}`);
    },
  };
}

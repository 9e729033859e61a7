/** @typedef {Node | string | false | null | undefined} Child */

/**
 * Makes an element. Text is never read as HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any>} [props] properties, `on...` listeners, and attributes with a dash or `role`
 * @param {...Child} children @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  fill(element, ...children);
  return element;
}

/** Gives an element these children, of those that are there. @param {Element} element @param {...Child} children */
export const fill = (element, ...children) => element.replaceChildren(...children.filter(isThere));

/** @param {Child} child @returns {child is Node | string} */
const isThere = (child) => child !== false && child !== null && child !== undefined && child !== '';

/** @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
}

/** Tells people what was done; screen readers read it out. @param {string} message */
export function say(message) {
  byId('said').textContent = message;
}

/** Shows why something did not work. @param {unknown} error */
export function complain(error) {
  const trouble = byId('trouble');
  trouble.textContent = error instanceof Error ? error.message : '';
  trouble.hidden = trouble.textContent === '';
}

/**
 * A button. While its work lasts, it does nothing more.
 * @param {string} label @param {() => unknown} work @param {Record<string, any>} [props]
 */
export function button(label, work, props = {}) {
  const made = el('button', { type: 'button', ...props }, label);
  made.addEventListener('click', () => busy(made, work));
  return made;
}

/** @param {HTMLElement} element @param {() => unknown} work */
export async function busy(element, work) {
  if (element.ariaBusy === 'true') return;
  element.ariaBusy = 'true';
  complain(undefined);
  try {
    await work();
  } catch (error) {
    complain(error);
  } finally {
    element.ariaBusy = null;
  }
}

/** A button that copies. @param {string} name what is copied, for screen readers @param {() => string} value */
export const copier = (name, value) =>
  button(
    'Copy',
    async () => {
      await navigator.clipboard.writeText(value());
      say(`Copied: ${name}.`);
    },
    { className: 'small', 'aria-label': `Copy ${name}`, hidden: navigator.clipboard === undefined },
  );

/** Text that can be copied and scrolled. @param {string} name @param {string} value */
export const block = (name, value) =>
  el(
    'div',
    { className: 'block' },
    el(
      'div',
      { className: 'block-title' },
      el('span', {}, name),
      copier(name, () => value),
    ),
    el('pre', { tabIndex: 0, role: 'region', 'aria-label': name }, el('code', {}, value)),
  );

/** JSON with line breaks; other text as it is. @param {string} body */
export function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** @param {string} instant in ISO 8601 */
export const time = (instant) => el('time', { dateTime: instant, title: instant }, instant.slice(11, 19));

/** @param {number} status */
export const badge = (status) =>
  el('span', { className: `badge ${status === 0 ? 's0' : `s${String(status)[0]}`}` }, status === 0 ? 'none' : String(status));

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/**
 * A list whose items keep their elements, and so the focus and what is open, while others come and go.
 * @template Item
 * @param {{ key: (item: Item) => string, create: (item: Item) => { node: HTMLElement, update: (item: Item) => void }, empty: () => Node, label: string }} parts
 */
export function keyedList({ key, create, empty, label }) {
  const list = el('ul', { className: 'list', 'aria-label': label });
  const place = el('div', {}, list);
  /** @type {Map<string, { node: HTMLElement, update: (item: Item) => void, shown: string }>} */
  let known = new Map();
  /** @type {Node | undefined} */
  let nothing;
  return {
    node: place,
    /** @param {Item[]} items */
    show(items) {
      const next = new Map();
      for (const item of items) {
        const id = key(item);
        const shown = JSON.stringify(item);
        const entry = known.get(id) ?? { ...create(item), shown: '' };
        if (entry.shown !== shown) entry.update(item);
        next.set(id, { ...entry, shown });
      }
      for (const [id, { node }] of known) if (!next.has(id)) node.remove();
      let at = list.firstChild;
      for (const { node } of next.values()) {
        if (node === at) at = node.nextSibling;
        else list.insertBefore(node, at);
      }
      known = next;
      list.hidden = items.length === 0;
      if (items.length > 0) {
        nothing?.parentNode?.removeChild(nothing);
        nothing = undefined;
      } else if (nothing === undefined) {
        nothing = empty();
        place.append(nothing);
      }
    },
  };
}

/**
 * A list item that opens: a button with a summary, and details below it.
 * @param {{ open: (details: HTMLElement) => unknown }} parts `open` fills the details, when they open and after each change
 */
export function opening({ open }) {
  const details = el('div', { className: 'details', hidden: true });
  const head = el('button', { type: 'button', className: 'row', ariaExpanded: 'false' });
  head.addEventListener('click', async () => {
    details.hidden = !details.hidden;
    head.ariaExpanded = String(!details.hidden);
    if (!details.hidden) await busy(head, () => open(details));
  });
  return { node: el('li', {}, head, details), head, details };
}

import { Refused } from './api.js';
import { busy, el, say } from './dom.js';

/**
 * @typedef {object} FieldSpec
 * @property {string} name the path of the value in the request, such as `fault.status`
 * @property {string} label
 * @property {string} [hint]
 * @property {'text' | 'number' | 'select' | 'area' | 'check'} [kind] default `text`
 * @property {[value: string, label: string][]} [options] of a select
 * @property {string} [value]
 * @property {string} [placeholder]
 * @property {string} [more] the summary below which the field is hidden at first
 * @property {(text: string) => unknown} [read] makes the value of the text; throws if it cannot
 * @typedef {{ name: string, more?: string | undefined, node: HTMLElement, input: HTMLInputElement, value: () => unknown, wrong: (message: string) => void }} Field
 */

let ids = 0;

/** A labelled input with its hint and its error. @param {FieldSpec} spec @returns {Field} */
export function field({
  name,
  label,
  hint,
  kind = 'text',
  options = [],
  value,
  placeholder,
  more,
  read = readers[kind] ?? readText,
}) {
  ids += 1;
  const id = `field-${ids}`;
  const input = /** @type {HTMLInputElement} */ (inputOf(kind, options));
  Object.assign(input, { id, ...(placeholder !== undefined && { placeholder }) });
  if (value !== undefined) input.value = value;
  const hinted = hint === undefined ? [] : [el('span', { className: 'hint', id: `${id}-hint` }, hint)];
  const error = el('span', { className: 'error', id: `${id}-error` });
  input.setAttribute('aria-describedby', [hint === undefined ? '' : `${id}-hint`, `${id}-error`].join(' ').trim());
  const caption = el('label', { for: id }, label);
  const node = el(
    'div',
    { className: `field ${kind}` },
    ...(kind === 'check' ? [input, caption] : [caption, input]),
    ...hinted,
    error,
  );
  const wrong = (/** @type {string} */ message) => {
    error.textContent = message;
    input.ariaInvalid = message === '' ? null : 'true';
  };
  return {
    name,
    more,
    node,
    input,
    wrong,
    value: () => (kind === 'check' ? input.checked || undefined : readFrom(input.value, read, name)),
  };
}

/** @param {string} text @param {(text: string) => unknown} read @param {string} name */
function readFrom(text, read, name) {
  if (text.trim() === '') return undefined;
  try {
    return read(text);
  } catch (error) {
    throw new Refused(400, { message: '', details: [{ field: name, message: /** @type {Error} */ (error).message }] });
  }
}

/** The stub says what is wrong with a number that is none. */
const readNumber = (/** @type {string} */ text) => (Number.isNaN(Number(text)) ? text : Number(text));
const readText = (/** @type {string} */ text) => text.trim();
/** @type {Record<string, (text: string) => unknown>} */
const readers = { text: readText, number: readNumber, select: readText, area: readText, check: readText };

/** @param {string} text */
export function readJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${/** @type {Error} */ (error).message}.`);
  }
}

/** @param {string} kind @param {[string, string][]} options */
function inputOf(kind, options) {
  if (kind === 'select') return el('select', {}, ...options.map(([value, label]) => el('option', { value }, label)));
  if (kind === 'area') return el('textarea', { rows: 3, spellcheck: false });
  if (kind === 'check') return el('input', { type: 'checkbox' });
  return el('input', { type: 'text', autocomplete: 'off', spellcheck: false, inputMode: kind === 'number' ? 'decimal' : 'text' });
}

/**
 * A form that shows refusals at the fields they name.
 * @param {{ submit: string, label: string, content: Node[], fields: () => Field[], send: () => unknown, className?: string }} parts
 * `fields`: those that are shown now
 */
export function form({ submit, label, content, fields, send, className = '' }) {
  const error = el('p', { className: 'error', role: 'alert' });
  const sender = el('button', { type: 'submit', className: 'main' }, submit);
  const made = el('form', { noValidate: true, 'aria-label': label, className }, ...content, error, sender);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    for (const one of fields()) one.wrong('');
    say('');
    error.textContent = '';
    busy(sender, async () => {
      try {
        await send();
      } catch (refusal) {
        if (!(refusal instanceof Refused)) throw refusal;
        error.textContent = explain(refusal, fields());
      }
    });
  });
  return made;
}

/** Shows each problem at its field, and returns those that belong to none. @param {Refused} refusal @param {Field[]} fields */
function explain(refusal, fields) {
  const rest = [];
  for (const { field: path, message } of refusal.details) {
    const wanted = path.replace(/^rule\./, '');
    const found = fields.find(({ name }) => wanted === name || wanted.startsWith(`${name}.`));
    if (!found) rest.push(message);
    else {
      found.wrong(message);
    }
  }
  const first = fields.find(({ input }) => input.ariaInvalid === 'true');
  const closed = first?.node.closest('details:not([open])');
  if (closed instanceof HTMLDetailsElement) closed.open = true;
  first?.input.focus();
  if (refusal.details.length === 0) return refusal.message;
  return rest.length > 0 ? refusal.message : '';
}

/**
 * Builds the object whose values the fields name, such as `{ fault: { status: 503 } }` for `fault.status`. Empty fields are left out.
 * @param {Field[]} fields @returns {Record<string, any>}
 */
export function valuesOf(fields) {
  /** @type {Record<string, any>} */
  const values = {};
  for (const { name, value } of fields) {
    const given = value();
    if (given === undefined) continue;
    const steps = name.split('.');
    const last = /** @type {string} */ (steps.pop());
    let place = values;
    for (const step of steps) {
      place[step] ??= {};
      place = place[step];
    }
    place[last] = given;
  }
  return values;
}

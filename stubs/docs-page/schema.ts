import type { Schema } from '../../contracts/openapi/document.ts';
import { escapeHtml } from '../../gateway/manage/gaps/page.ts';

/** Text of the documents: back quotes, and links to pages of this server. */
export const prose = (text: string) =>
  escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\((\/[\w/#.-]*)\)/g, '<a href="$2">$1</a>');

/** Links to the choices that something rests on, where the document leaves it open. */
export function gapLinks(ids: readonly string[] = []): string {
  if (ids.length === 0) return '';
  const links = ids.map((id) => `<a href="/docs/gaps#${escapeHtml(id)}">${escapeHtml(id)}</a>`);
  return ` <span class="gap">Left open by the document: ${links.join(', ')}</span>`;
}

/** One field, with what is below it. */
export function field(name: string, schema: Schema, { required = false, note = '' } = {}): string {
  const { description, example } = schema;
  const parts = [
    `<code>${escapeHtml(name)}</code>`,
    `<span class="quiet">${escapeHtml([typeOf(schema), note, required ? 'required' : ''].filter(Boolean).join(', '))}</span>`,
    typeof description === 'string' ? prose(description) : '',
    example === undefined ? '' : `<span class="quiet">such as <code>${escapeHtml(JSON.stringify(example))}</code></span>`,
  ];
  return `<li>${parts.filter(Boolean).join(' ')}${gapLinks(schema['x-gap'])}${fieldsOf(schema)}</li>`;
}

/** The fields of an object, or of the objects of a list; nothing for a plain value. */
export function fieldsOf(schema: Schema): string {
  const { properties, items, required = [] } = schema;
  if (properties === undefined) return items === undefined ? '' : fieldsOf(items);
  const rows = Object.entries(properties).map(([name, one]) => field(name, one, { required: required.includes(name) }));
  return `<ul class="fields">${rows.join('')}</ul>`;
}

/** `string: cash | card`, `list of object`, `number 0 to 100`. */
function typeOf(schema: Schema): string {
  const { type, items, anyOf, enum: values, format } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return [[type].flat().join(' or '), format, boundsOf(schema)].filter(Boolean).join(' ');
}

/** The bounds of every exact whole number say nothing. */
const said = (bound: unknown) => (Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER ? undefined : bound);

function boundsOf({ minimum, maximum, exclusiveMinimum, minLength, maxLength }: Schema): string {
  const parts = [
    said(minimum) === undefined ? '' : `from ${minimum}`,
    exclusiveMinimum === undefined ? '' : `over ${exclusiveMinimum}`,
    said(maximum) === undefined ? '' : `to ${maximum}`,
    minLength === undefined && maxLength === undefined ? '' : `of ${minLength ?? 0} to ${maxLength ?? 'any'} characters`,
  ];
  return parts.filter(Boolean).join(' ');
}

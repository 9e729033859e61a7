/**
 * The document with a note beside each `x-gap`: a link to the entry in the gap register. The reference page shows
 * descriptions as Markdown, but no extensions.
 */
export const withGapNotes = <T>(document: T): T => noted(document) as T;

type Fields = Record<string, unknown> & { 'x-gap'?: string[]; description?: string };

function noted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(noted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, noted(one)])) as Fields;
  const ids = fields['x-gap'];
  return ids === undefined ? fields : { ...fields, description: [fields.description, noteOn(ids)].filter(Boolean).join('\n\n') };
}

const noteOn = (ids: readonly string[]) =>
  `Left open by the document: ${ids.map((id) => `[${id}](/docs/gaps#${id})`).join(', ')}.`;

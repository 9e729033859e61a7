import { instantOf } from '../../lib/time.ts';
import { currentZone } from '../../lib/zone.ts';
import type { Field, Values } from './resource.ts';

/** The state of a form's inputs, by field name. */
export type Inputs = Readonly<Record<string, string | boolean | string[]>>;

const splitAtCommas = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** How each kind of field turns an initial value into an input and the input into a request value. The API validates it. */
const kinds: Record<Field['kind'], { show(initial: unknown): string | boolean | string[]; send(input: never): unknown }> = {
  text: { show: asText, send: (input: string) => input.trim() },
  area: { show: asText, send: (input: string) => input },
  // Not trimmed: a blank may belong to it.
  secret: { show: asText, send: (input: string) => input },
  date: { show: asText, send: (input: string) => input },
  instant: { show: asText, send: (input: string) => instantOf(input, currentZone()) },
  number: { show: asText, send: (input: string) => Number(input) },
  choice: { show: asText, send: (input: string) => input },
  choices: { show: (initial) => (initial as string[] | undefined) ?? [], send: (input: string[]) => input },
  flag: { show: (initial) => initial === true, send: (input: boolean) => input },
  list: { show: joinWithCommas, send: splitAtCommas },
  numbers: { show: joinWithCommas, send: (input: string) => splitAtCommas(input).map(Number) },
  lines: { show: asText, send: productLines },
};

function asText(initial: unknown): string {
  return initial === undefined || initial === null ? '' : String(initial);
}

function joinWithCommas(initial: unknown): string {
  return Array.isArray(initial) ? initial.join(', ') : '';
}

/** Parses a product and a quantity on each line: `PRD-0001 20`. */
function productLines(text: string): { product_id: string; quantity: number }[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([product]) => product !== '')
    .map(([product = '', quantity]) => ({ product_id: product, quantity: Number(quantity) }));
}

export const initialInputs = (fields: readonly Field[]): Inputs =>
  Object.fromEntries(fields.map(({ name, kind, initial }) => [name, kinds[kind].show(initial)]));

export function requestBody(fields: readonly Field[], inputs: Inputs): Values {
  const sent = fields.map(({ name, kind, emptyIsNull }) => {
    const value = inputs[name];
    if (typeof value === 'string' && value.trim() === '' && kind !== 'lines') return [name, emptyIsNull ? null : undefined];
    // Each kind sends what it has shown.
    return [name, kinds[kind].send(value as never)];
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

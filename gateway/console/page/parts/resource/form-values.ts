import type { Field, Values } from './resource.ts';

/** What stands in the inputs of a form. */
export type Typed = Readonly<Record<string, string | boolean | string[]>>;

const separated = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** How each kind of field is shown at first, and what is sent of it. The API checks what it gets, and says what is wrong. */
const kinds: Record<Field['kind'], { show(initial: unknown): string | boolean | string[]; send(typed: never): unknown }> = {
  text: { show: plain, send: (typed: string) => typed.trim() },
  date: { show: plain, send: (typed: string) => typed },
  instant: { show: plain, send: (typed: string) => new Date(typed).toISOString() },
  number: { show: plain, send: (typed: string) => Number(typed) },
  choice: { show: plain, send: (typed: string) => typed },
  choices: { show: (initial) => (initial as string[] | undefined) ?? [], send: (typed: string[]) => typed },
  flag: { show: (initial) => initial === true, send: (typed: boolean) => typed },
  list: { show: joined, send: separated },
  numbers: { show: joined, send: (typed: string) => separated(typed).map(Number) },
  lines: { show: plain, send: linesOf },
};

function plain(initial: unknown): string {
  return initial === undefined || initial === null ? '' : String(initial);
}

function joined(initial: unknown): string {
  return Array.isArray(initial) ? initial.join(', ') : '';
}

/** `PRD-0001 20` on each line. */
function linesOf(text: string): { product_id: string; quantity: number }[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([product]) => product !== '')
    .map(([product = '', quantity]) => ({ product_id: product, quantity: Number(quantity) }));
}

export const shownAtFirst = (fields: readonly Field[]): Typed =>
  Object.fromEntries(fields.map(({ name, kind, initial }) => [name, kinds[kind].show(initial)]));

export function toSend(fields: readonly Field[], typed: Typed): Values {
  const sent = fields.map(({ name, kind, emptyIsNull }) => {
    const value = typed[name];
    if (typeof value === 'string' && value.trim() === '' && kind !== 'lines') return [name, emptyIsNull ? null : undefined];
    return [name, kinds[kind].send(value as never)];
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/** Texts with places for values, such as `Attempt {attempt} failed.` */

export type Values = Readonly<Record<string, string | number>>;

/** A value that was cut ends in dots, and no full stop follows them. */
export const fill = (template: string, values: Values): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? '')).replaceAll('….', '…');

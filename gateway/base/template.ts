/** Texts with places for values, such as `Attempt {attempt} failed.` A text can be filled, and its values read back. */

export type Values = Readonly<Record<string, string | number>>;

/** A value that was cut ends in dots, and no full stop follows them. */
export const fill = (template: string, values: Values): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? '')).replaceAll('….', '…');

/** A text as the name of its template and its values, so that it can be said in another language. */
export interface Filled<Name extends string> {
  case: Name;
  values: Record<string, string>;
}

/** Returns a function that reads a text back: as the first template that gives it, with its values. Null if there is none. */
export function readerOf<Name extends string>(templates: Readonly<Record<Name, string>>): (text: string) => Filled<Name> | null {
  const patterns = (Object.entries(templates) as [Name, string][]).map(
    ([name, template]) => [name, patternOf(template)] as const,
  );
  return (text) => {
    for (const [name, pattern] of patterns) {
      const found = pattern.exec(text);
      if (found) return { case: name, values: { ...found.groups } };
    }
    return null;
  };
}

const patternOf = (template: string) =>
  new RegExp(`^${template.replaceAll(/[.*+?^$()[\]|\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.*)')}$`, 's');

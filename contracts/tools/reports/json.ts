/** Characters that are legal in JSON, but that a terminal or editor interprets. They occur only inside strings. */
const acted = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Formats what a tool found as JSON, in the tool's own shape. */
export function jsonReport(found: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(found, null, 2).replaceAll(acted, escaped)}\n`;
}

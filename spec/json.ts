export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** Returns what the text says as JSON, or `otherwise` if it is not JSON. */
export function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** A reply with a parsed body: JSON, or text, or undefined if there is none. Header names are in lower case. */
export interface JsonReply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

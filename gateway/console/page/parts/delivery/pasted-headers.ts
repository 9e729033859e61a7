/** Headers by lower-case name, as an operator pasted them. */
export type PastedHeaders = Record<string, string>;

/** Parses header lines. A line without a name is a signature, and its format decides which header it belongs to. */
export function parseHeaders(text: string, signatureHeader: string): PastedHeaders {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return Object.fromEntries(
    lines.filter(Boolean).map((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined) return [name.toLowerCase(), value ?? ''];
      return [/^v\d+a?,/.test(line) ? 'webhook-signature' : signatureHeader, line];
    }),
  );
}

/** The name of the services' signature header, which can be configured, among the headers sent. */
export function signatureHeaderName(sent: Readonly<Record<string, string>>): string {
  const names = Object.keys(sent).map((name) => name.toLowerCase());
  return names.find((name) => /signature/.test(name) && name !== 'webhook-signature') ?? 'x-service-signature';
}

/** The headers sent, overridden by those that the receiver got. */
export function receivedHeaders(sent: Readonly<Record<string, string>>, given: PastedHeaders): PastedHeaders {
  return { ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value])), ...given };
}

/** What a receiver says that it got, as an operator pastes it. */
export type GivenHeaders = Record<string, string>;

/** Header lines, or the bare value of a signature, which says by its form whose it is. Names come in lower case. */
export function headersIn(text: string, signatureHeader: string): GivenHeaders {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return Object.fromEntries(
    lines.filter(Boolean).map((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined) return [name.toLowerCase(), value ?? ''];
      return [/^v\d+a?,/.test(line) ? 'webhook-signature' : signatureHeader, line];
    }),
  );
}

/** The name of the documents' own signature header among those that were sent: it can be configured. */
export function signatureHeaderOf(sent: Readonly<Record<string, string>>): string {
  const names = Object.keys(sent).map((name) => name.toLowerCase());
  return names.find((name) => /signature/.test(name) && name !== 'webhook-signature') ?? 'x-service-signature';
}

/** Those that were sent, with what the receiver saw otherwise. */
export function seenHeaders(sent: Readonly<Record<string, string>>, given: GivenHeaders): GivenHeaders {
  return { ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value])), ...given };
}

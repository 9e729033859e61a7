/** The maximum size of a body for an operation without a token: credentials, with room to spare. */
export const publicBodyBytes = 4096;

/** How deep the lists and objects of a body may lie in each other. */
export const maxDepth = 64;
/** How many values the lists and objects of a body may hold together. */
const maxValues = 10_000;

/** A body has at most this many values. A route that reads larger bodies than usual takes more, in proportion. */
export const maxValuesOf = (bodyLimit: number): number => Math.max(maxValues, Math.floor(bodyLimit / 32));

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Measures JSON before it is parsed: 30,000 fields in 240 kB take seventy times as long to parse and to judge as to count.
 * Outside of text each structural character is one byte in UTF-8.
 */
export function measureJson(body: Uint8Array): { depth: number; values: number } {
  let [depth, deepest, values, isText] = [0, 0, 0, false];
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (isText) {
      if (byte === backslash) at++;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === comma) values++;
    else if (byte === openObject || byte === openList) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (byte === closeObject || byte === closeList) depth--;
  }
  return { depth: deepest, values };
}

/** The position of the first byte that is not UTF-8. `text` is the body as Node decodes it, with U+FFFD for what is invalid. */
export function invalidByteAt(body: Buffer, text: string): number {
  const isSent = (at: number) => body[at] === 0xef && body[at + 1] === 0xbf && body[at + 2] === 0xbd;
  let bytes = 0;
  for (let from = 0; ; ) {
    const found = text.indexOf('\ufffd', from);
    bytes += Buffer.byteLength(text.slice(from, found));
    if (found === -1 || !isSent(bytes)) return bytes;
    bytes += 3;
    from = found + 1;
  }
}

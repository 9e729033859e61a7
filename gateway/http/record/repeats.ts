type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

/** For records that are kept long: calls that are alike hold the same text and headers once, and what came new is garbage at once. */
export class Repeats {
  readonly #texts = new Map<string, string>();
  readonly #headers = new Map<string, Headers>();

  /** The text; the one before it under this name where they are equal. Names are few, such as operations. */
  text(name: string, text: string): string {
    const before = this.#texts.get(name);
    if (before === text) return before;
    this.#texts.set(name, text);
    return text;
  }

  headers<H extends Headers>(name: string, headers: H): H {
    const before = this.#headers.get(name);
    if (before !== undefined && haveSame(before, headers)) return before as H;
    this.#headers.set(name, headers);
    return headers;
  }
}

/** Fields that came several times are arrays: those are seldom, and count as different. */
function haveSame(one: Headers, other: Headers): boolean {
  let more = 0;
  for (const name in one) {
    if (one[name] !== other[name]) return false;
    more += 1;
  }
  for (const _name in other) more -= 1;
  return more === 0;
}

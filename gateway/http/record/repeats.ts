type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

/** Shares equal texts and headers between calls that are kept for long, so that memory holds them once. */
export class Repeats {
  readonly #texts = new Map<string, string>();
  readonly #headers = new Map<string, Headers>();

  /** The text itself, or the previous text under this name if it is equal. Names must be few, such as operations. */
  text(name: string, text: string): string {
    const before = this.#texts.get(name);
    if (before === text) return before;
    this.#texts.set(name, text);
    return text;
  }

  /** As `text`, for the headers of a request. */
  headers<H extends Headers>(name: string, headers: H): H {
    const before = this.#headers.get(name);
    if (before !== undefined && haveSame(before, headers)) return before as H;
    this.#headers.set(name, headers);
    return headers;
  }
}

/** A header that was sent several times is an array. That is rare, and counts as different. */
function haveSame(one: Headers, other: Headers): boolean {
  let more = 0;
  for (const name in one) {
    if (one[name] !== other[name]) return false;
    more += 1;
  }
  for (const _name in other) more -= 1;
  return more === 0;
}

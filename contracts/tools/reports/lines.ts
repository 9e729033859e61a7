import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** Finds the lines of a text in JSON or YAML. */
export class Lines {
  readonly #counter = new LineCounter();
  readonly #root: unknown;

  constructor(text: string) {
    this.#root = parseDocument(text, { lineCounter: this.#counter, merge: true, logLevel: 'silent' }).contents;
  }

  /** Returns the line, from 1, of what these keys lead to, or of the last of them that is there. Undefined if none is. */
  of(keys: readonly (string | number)[]): number | undefined {
    let [node, line]: [unknown, number | undefined] = [this.#root, undefined];
    for (const key of keys) {
      const found = isMap(node) ? node.items.find((pair) => keyOf(pair.key) === String(key)) : undefined;
      const next = isSeq(node) ? node.items[Number(key)] : found?.value;
      const at = rangeOf(found?.key ?? next);
      if (at === undefined) break;
      [node, line] = [next, this.#counter.linePos(at).line];
    }
    return line;
  }
}

const keyOf = (key: unknown) => String(isScalar(key) ? key.value : key);
const rangeOf = (node: unknown) => (node as { range?: [number, number, number] | null } | null | undefined)?.range?.[0];

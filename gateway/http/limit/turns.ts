/** Lets one after another have a key. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when it is this caller's turn, with the function that ends it. */
  async take(key: string): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    await before;
    return () => {
      if (this.#last.get(key) === promise) this.#last.delete(key);
      resolve();
    };
  }
}

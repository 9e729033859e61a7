interface Asked<I, O> {
  item: I;
  resolve(result: O): void;
  reject(error: unknown): void;
}

/** Gathers what is asked one by one and does it together: what comes while one group is worked on makes up the next. */
export class Groups<I, O = undefined> {
  readonly #work: (items: I[]) => Promise<O[] | undefined>;
  readonly #most: number;
  #waiting: Asked<I, O>[] = [];
  #running = false;

  /** `work` gives a result for each item, in their order; or none, where it is only to be done. */
  constructor(work: (items: I[]) => Promise<O[] | undefined>, most: number) {
    this.#work = work;
    this.#most = most;
  }

  do(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      // After whatever else this turn of the event loop brings.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#most);
      try {
        const results = await this.#work(group.map(({ item }) => item));
        for (const [index, { resolve }] of group.entries()) resolve(results?.[index] as O);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running = false;
  }
}

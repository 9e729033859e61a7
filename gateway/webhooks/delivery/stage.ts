/** A step of the delivery pipeline, called for one item. */
export type Stage<I, O = undefined> = (item: I) => Promise<O>;

/** Bounds a batch, so that no statement or transaction takes long. */
const maxBatch = 200;

/** An error of a stage; `cause` has what was thrown. */
class StageFailure extends Error {
  override name = 'StageFailure';

  constructor(stage: string, cause: unknown) {
    super(`The delivery stage "${stage}" failed`, { cause });
  }
}

interface Waiting<I, O> {
  item: I;
  resolve(result: O): void;
  reject(error: unknown): void;
}

/**
 * Returns a stage that works on many items at once. Items that arrive while one batch is worked on form the next one. `work`
 * returns one result for each item, in order, or nothing. If it throws, every item of the batch rejects with a `StageFailure`.
 */
export function batched<I, O = undefined>(name: string, work: (items: I[]) => Promise<O[] | undefined>): Stage<I, O> {
  const waiting: Waiting<I, O>[] = [];
  let isRunning = false;
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results?.[index] as O);
      } catch (cause) {
        const failure = new StageFailure(name, cause);
        for (const { reject } of batch) reject(failure);
      }
    }
    isRunning = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // Later, so that everything that arrives in this turn of the event loop joins the batch.
      setImmediate(() => void run());
    });
}

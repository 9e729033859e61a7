import type { Store } from '../gateway/store/port.ts';

/** Makes a store refuse rows of calls, so that records are lost. Returns what ends it. */
export function refuseRecords(store: Store): () => void {
  const { append } = store;
  const refusing: Store['append'] = (table, ...more) =>
    table === 'calls' ? Promise.reject(new Error('refused by the test')) : append.call(store, table, ...more);
  Object.assign(store, { append: refusing });
  return () => Object.assign(store, { append });
}

import { AsyncLocalStorage } from 'node:async_hooks';

const inCall = new AsyncLocalStorage<boolean>();

/** Runs `work` for a caller who waits. Where calls wait for the same as the gateway's own work, the two take turns. */
export const asCall = <R>(work: () => R): R => inCall.run(true, work);

/** Runs what a call leaves behind, such as the delivery of its events, as the gateway's own work. */
export const afterCall = <R>(work: () => R): R => inCall.run(false, work);

/** Returns true if this code runs for a caller who waits. */
export const isInCall = (): boolean => inCall.getStore() === true;

import { useSyncExternalStore } from 'react';

/** The zone in which all times are shown: the viewer's own, or UTC. */
export type Zone = 'local' | 'utc';

const key = 'passerelle.zone';
const listeners = new Set<() => void>();

/** A browser may refuse its storage. Then the choice lasts until the page is closed. */
let zone: Zone = 'local';
try {
  if (localStorage.getItem(key) === 'utc') zone = 'utc';
} catch {}

export const currentZone = (): Zone => zone;

export function switchZone(): void {
  zone = zone === 'utc' ? 'local' : 'utc';
  try {
    localStorage.setItem(key, zone);
  } catch {}
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useZone = (): Zone => useSyncExternalStore(subscribe, currentZone);

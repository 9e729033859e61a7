/** A part of a gateway with a life of its own. It has the steps that it needs; each may return a promise. */
export interface Feature {
  start?(): unknown;
  /** Finishes what runs and stores what waits. */
  close?(): unknown;
  /** Drops the state that came after the start. Only a stub is reset. */
  reset?(): unknown;
}

/** Starts the features in order. If one fails, closes those already started and throws its error. */
export async function startFeatures(features: readonly Feature[]): Promise<void> {
  const begun: Feature[] = [];
  try {
    for (const feature of features) {
      begun.push(feature);
      await feature.start?.();
    }
  } catch (error) {
    await closeFeatures(begun);
    throw error;
  }
}

/** Closes the features in reverse order: each may still use those before it. */
export async function closeFeatures(features: readonly Feature[]): Promise<void> {
  for (const feature of features.toReversed()) await feature.close?.();
}

/** Resets the features in reverse order, as `closeFeatures` does. */
export async function resetFeatures(features: readonly Feature[]): Promise<void> {
  for (const feature of features.toReversed()) await feature.reset?.();
}

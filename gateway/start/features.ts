/** A part of a gateway that is started and closed. Every step is optional and may return a promise. */
export interface Feature {
  start?(): unknown;
  /** Finishes what runs and stores what waits. */
  close?(): unknown;
  /** Drops all state since the start. Only stubs are reset. */
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

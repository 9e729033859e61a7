/** A part of a gateway that is started and closed. Every step is optional and may return a promise. */
export interface Feature {
  start?(): unknown;
  /** Finishes what runs and stores what waits. */
  close?(): unknown;
  /** Drops all state since the start. Only stubs are reset. */
  reset?(): unknown;
}

/** Starts the features in order. If one fails, closes it and those already started, and throws its error. */
export async function startFeatures(features: readonly Feature[]): Promise<void> {
  const begun: Feature[] = [];
  try {
    for (const feature of features) {
      begun.push(feature);
      await feature.start?.();
    }
  } catch (error) {
    // An error in closing must not hide the reason why the start failed.
    await closeFeatures(begun).catch(() => {});
    throw error;
  }
}

/**
 * Closes the features in reverse order: each may still use those before it. If one fails, the others are closed too, because
 * they store what waits. Throws the error at the end, or an `AggregateError` of several.
 */
export async function closeFeatures(features: readonly Pick<Feature, 'close'>[]): Promise<void> {
  const errors: unknown[] = [];
  for (const feature of features.toReversed()) {
    try {
      await feature.close?.();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts could not be closed.`);
  if (errors.length > 0) throw errors[0];
}

/** Resets the features in reverse order, as `closeFeatures` does. */
export async function resetFeatures(features: readonly Feature[]): Promise<void> {
  for (const feature of features.toReversed()) await feature.reset?.();
}

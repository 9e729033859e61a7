/** What an event names as the cause of its change, if it is no call. */
export const causes: Readonly<Record<string, string>> = {
  attempts: 'the outcome of attempts',
  clock: 'the clock',
  stub: 'a trigger of the stub',
};

/** What a partner is owed: after a pause, the deliveries that it skipped too. */
export const owed = ['pending', 'failed', 'skipped'] as const;

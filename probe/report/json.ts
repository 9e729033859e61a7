import type { ProbeReport } from '../types.ts';

/** Formats a probe as JSON. */
export const jsonReport = (report: ProbeReport): string => `${JSON.stringify(report, null, 2)}\n`;

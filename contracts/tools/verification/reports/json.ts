import type { Verification } from '../result.ts';

/** What JSON may carry as it is, but a terminal or an editor would act on. All of it stands within strings. */
const acted = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Verifications as they are, for programs: one of each provider. */
export function jsonReport(verifications: readonly Verification[]): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify({ verifications }, null, 2).replaceAll(acted, escaped)}\n`;
}

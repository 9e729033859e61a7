import { reasonTexts, withStatus } from '../../../webhooks/model/reasons.ts';
import { text } from '../texts/shared.ts';

export interface Reason {
  reason: string;
  kind: 'error' | 'skipped' | 'operator';
  title: string;
  meaning: string;
  advice: string | null;
}

/** The reasons a delivery can have, in the viewer's language, each with its meaning and advice. */
const texts: readonly Reason[] = reasonTexts.map((one) => ({
  ...one,
  ...text.server.reasons[one.reason],
  ...text.parts.reasons[one.reason],
}));

const filled = ({ title, meaning, advice, ...one }: Reason, status: number | null): Reason => ({
  ...one,
  title: withStatus(title, one.reason, status),
  meaning: withStatus(meaning, one.reason, status),
  advice: advice && withStatus(advice, one.reason, status),
});

/** The reasons to choose from in a filter. They do not name a response status. */
export const reasons: readonly Reason[] = texts.map((one) => filled(one, null));

/** A reason or an outcome, with the status of the response in its texts. */
export function reasonOf(code: string | null, status: number | null = null): Reason | undefined {
  const found = texts.find(({ reason }) => reason === code);
  return found && filled(found, status);
}

export const titleOfReason = (code: string, status: number | null = null): string => reasonOf(code, status)?.title ?? code;

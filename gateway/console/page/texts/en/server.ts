import { causesEn } from '../../../../base/causes/en.ts';

/** The values of a text, in words. */
type Say = (values: Readonly<Record<string, string>>) => string;

/** The texts of the server by their code. The server writes English itself, so these catalogues are empty in English. */
export const server = {
  /** The reasons of deliveries and the outcomes of attempts. */
  reasons: {} as Readonly<Record<string, { title: string; meaning: string; advice: string | null }>>,
  /** What each type of event means. */
  events: {} as Readonly<Record<string, string>>,
  /** Refusals whose code says all. The time to wait is in seconds; null if it is not known. */
  refusals: {} as Readonly<Record<string, (retryAfterSeconds: number | null) => string>>,
  /** Refusals whose own text names a call of the API, in words for people. */
  onPage: {} as Readonly<Record<string, string>>,
  /** What is wrong with a field, by the rule of the refusal's detail. */
  rules: {} as Readonly<Record<string, string>>,
  /** Why an endpoint gets nothing, or a delivery has not arrived. */
  causes: causesEn,
  /** Why the next attempt of a delivery is made when it is, by its case. */
  nextAttempts: {} as Readonly<Record<string, Say>>,
  /** What the diagnosis of a signature says: why it is refused, the mistakes, and the comparisons with what was sent. */
  diagnosis: {
    reasons: {} as Readonly<Record<string, string>>,
    mistakes: {} as Readonly<Record<string, { says: string; fix: string }>>,
    comparisons: {} as Readonly<Record<string, Say>>,
  },
};

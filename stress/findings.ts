import type { ServiceName } from '../contracts/documents/services.ts';
import type { ProviderOperation } from '../contracts/openapi/operations.ts';
import { shorten } from '../contracts/tools/reports/plain.ts';
import { Hider, secretsIn } from '../contracts/tools/secrets.ts';
import { type AcceptedFinding, acceptanceIn, type Damage, damages } from '../contracts/tools/verification/beside.ts';
import { type CallFailureName, failureOf, gapWords, textOf } from './failures.ts';
import type { JudgedRequest } from './judge.ts';
import type { Judgement, StressFinding } from './types.ts';

const charactersShown = 300;

/** What to do, and the words of the document that are about it. */
const about: Readonly<Record<Damage, { advice: string | Readonly<Record<ServiceName, string>>; gap?: string }>> = {
  twice: { advice: repeatedPost(), gap: 'idempotency-keys' },
  unkeyed: { advice: repeatedPost(), gap: 'idempotency-keys' },
  lost: {
    advice:
      'Look at each reply: without a 2xx the work is not done, so tell the caller, or keep the request and repeat it. Then write a test that fails if it is not told.',
  },
  'refused-again': {
    advice: 'Do not repeat what was refused: tell the caller why. After a 401, get another token and repeat once.',
  },
  'too-soon': { advice: 'Wait as many seconds as Retry-After says before you repeat.' },
  storm: { advice: 'Give up after a few attempts, and double the wait between them, with a random part.' },
};

function repeatedPost(): Readonly<Record<ServiceName, string>> {
  return {
    pos: 'Make one key for each request, keep it before the first attempt, and send it as Idempotency-Key with every attempt.',
    cohesion: 'Do not repeat a POST whose outcome you do not know: tell the caller, who can look whether it was done.',
  };
}

/** A finding before anybody accepts it. */
export type BareFinding = Omit<StressFinding, 'acceptance' | 'isAccepted'>;

/** As the file of accepted findings names it. */
export const findingId = (api: ServiceName, { operation }: ProviderOperation, damage: Damage): string =>
  `${api}.${operation.operationId}.${damage}`;

/** The findings about one request. */
export function findingsFor(
  { call, damages: found }: JudgedRequest,
  { api, where, failure, tests }: Judgement,
  operation: ProviderOperation,
): BareFinding[] {
  const { text } = new Hider(secretsIn(call));
  return found.map(({ damage, what }) => {
    const { advice, gap } = about[damage];
    const register = gap && (api === 'pos' ? `pos.${gap}` : 'cohesion.repeated-post');
    return {
      id: findingId(api, operation, damage),
      api,
      where,
      damage,
      failures: [failure],
      what: `${capital(textOf(failure))}. ${what}`,
      request: text(shorten(`${call.method} ${call.url} ${call.requestBody}`.trim(), charactersShown)),
      tests: text(tests),
      advice: typeof advice === 'string' ? advice : advice[api],
      document: register ? gapWords(register) : failureOf(failure as CallFailureName).allowedBy(api),
    };
  });
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** The findings of all requests, one for each operation and damage, the worst first. */
export function findingsOf(judged: readonly { findings: readonly BareFinding[] }[]): BareFinding[] {
  const all = judged.flatMap(({ findings }) => findings);
  const merged = [...Map.groupBy(all, ({ id }) => id).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, failures: [...new Set([first, ...others].flatMap(({ failures }) => failures))] }] : [],
  );
  // Work that is done twice was also sent again without a key, so the second finding would repeat the first.
  const isNamed = (id: string) => merged.some((one) => one.id === id);
  return merged
    .filter(({ id, damage }) => damage !== 'unkeyed' || !isNamed(id.replace(/unkeyed$/, 'twice')))
    .sort((one, other) => damages.indexOf(one.damage) - damages.indexOf(other.damage));
}

/** The findings with the entries that accept them. `today`: YYYY-MM-DD. */
export const withAcceptances = (
  findings: readonly BareFinding[],
  accepted: readonly AcceptedFinding[],
  today: string,
): StressFinding[] =>
  findings.map((one) => ({
    ...one,
    ...acceptanceIn(
      accepted.filter(({ finding }) => finding === one.id),
      today,
    ),
  }));

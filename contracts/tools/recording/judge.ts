import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AssumptionFinding, assess } from '../assumptions/check.ts';
import { overSpecified } from '../assumptions/report.ts';
import type { OpenGateway } from '../reference-gateway.ts';
import { inTemporaryFolder } from '../temporary.ts';
import { today } from '../today.ts';
import { isSuccess } from '../verification/explain.ts';
import { readPact } from '../verification/pact-file.ts';
import type { InteractionResult } from '../verification/result.ts';
import { verify } from '../verification/run.ts';
import type { WrittenPact } from './pact.ts';
import type { WrittenInteraction } from './recorded.ts';

export const pactText = (pact: WrittenPact): string => `${JSON.stringify(pact, null, 2)}\n`;

export type Judged = Awaited<ReturnType<typeof judge>>;

/** Verifies a pact with the reference implementation, and checks its assumptions. Throws `CouldNotRun`. */
export const judge = (pact: WrittenPact, reference: OpenGateway) =>
  inTemporaryFolder('pact', async (folder) => {
    const provider = pact.provider.name;
    const file = join(folder, 'pact.json');
    await writeFile(file, pactText(pact));
    const verified = await verify({ provider, from: [{ ...readPact(pactText(pact), file), file }], reference });
    const { findings, notJudged } = await assess(provider, verified, today());
    const { interactions: results, unfinished } = verified.verification;
    const leftOut = new Map<string, string>();
    for (const one of pact.interactions) {
      const result = results.find(({ description }) => description === one.description);
      const reason = reasonAgainst(one, result);
      if (reason !== undefined) leftOut.set(one.description, `its states do not bring its reply about: ${reason}`);
    }
    const kept = pact.interactions.filter(({ description }) => !leftOut.has(description));
    return {
      /** Each interaction is verified, and names the gaps on which it depends. */
      pact: { ...pact, interactions: kept.map((one) => withReferences(one, findings)) },
      /** Interactions whose states do not lead to the recorded reply, with the reason. */
      leftOut: [...leftOut].map(([description, reason]) => `${description}: ${reason}`),
      /** Interactions of which nobody can say on which gaps they depend. */
      notJudged: notJudged.filter(({ description }) => !leftOut.has(description)),
      /** What the verification could not finish. */
      unfinished,
    };
  });

/**
 * Why an interaction is left out. A refusal must have the recorded status, even if the pact accepts any refusal, because another
 * status has another cause. Another provider's success may have another status, if the documents leave it open.
 */
function reasonAgainst({ response }: WrittenInteraction, result: InteractionResult | undefined): string | undefined {
  const [expected, actual] = [response?.status, result?.exchange?.reply?.status];
  const isOther = expected !== undefined && actual !== undefined && actual !== expected;
  if (isOther && !(isSuccess(expected) && isSuccess(actual))) return `expected ${expected}, got ${actual}`;
  if (result?.outcome === 'verified') return undefined;
  const [{ kind = 'reply', path = '', message = 'differs' } = {}] = result?.problems ?? [];
  return `${kind} ${path} ${message}`;
}

/** Adds references to the gaps on which an interaction was found to depend. */
function withReferences(interaction: WrittenInteraction, findings: readonly AssumptionFinding[]): WrittenInteraction {
  const own = overSpecified(findings).filter(({ description }) => description === interaction.description);
  const gap = Object.fromEntries(own.map(({ gap: { id, choice } }) => [id, choice]).sort());
  return own.length === 0 ? interaction : { ...interaction, comments: { references: { gap } } };
}

import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { reasonKinds, reasons } from '../../webhooks/model/reasons.ts';
import { diagnoseDelivery, type Examination } from '../../webhooks/operator/diagnose.ts';
import { idParams } from './views.ts';

const tags = ['Deliveries'];

const headerValue = z.string().max(8192);
/** As much as a JSON body of the default limit can be, with all of its characters escaped. */
const bodyLimit = 2 * 1024 * 1024;

const seen = z.strictObject({
  attempt: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('The number of the attempt; the last one, where it is left out.'),
  body: z.string().max(262_144).optional().describe('The raw body that the receiver has; as it was sent, where it is left out.'),
  headers: z
    .record(z.string().max(200), z.union([headerValue, z.array(headerValue).max(20)]))
    .refine((headers) => Object.keys(headers).length <= 200, { message: 'must be at most 200', params: { rule: 'too_many' } })
    .optional()
    .describe("The request's headers that the receiver has; those of the attempt, where they are left out."),
  secret: z
    .string()
    .max(1000)
    .optional()
    .describe("The secret that the receiver uses; the endpoint's own, where it is left out. Not recorded.")
    .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
});

const diagnosis = z.object({
  genuine: z.boolean().describe('The signature fits, with the secret given or the one that signed the attempt.'),
  verdict: z.string().describe('In a sentence or two.'),
  attempt: z.number().int().nullable().describe('Which one it was compared with; null where none is kept.'),
  finding: z.object({
    scheme: z.enum(['standard-webhooks', 'service-signature']).nullable().describe('Which headers decide.'),
    reason: z.string().nullable().describe('Why a receiver refuses it; null where it is genuine.'),
    cause: z
      .enum(['proved', 'suspected', 'none'])
      .describe(
        '`proved`: with these mistakes undone the signature fits. `suspected`: it only looks so. `none`: nothing to name.',
      ),
    mistakes: z.array(
      z.object({
        id: z.string(),
        says: z.string(),
        fix: z.string().describe('What to do.'),
        code: z.string().nullable().describe('A line of Node.'),
      }),
    ),
    replay_checked: z.boolean().describe('Whether the signature binds the time of the attempt.'),
  }),
  checked: z.array(
    z.object({
      what: z.enum(['body', 'headers', 'secret']),
      same: z.boolean().nullable().describe('As it was sent; null where there is nothing to compare.'),
      says: z.string(),
    }),
  ),
});

export function diagnosisRoutes(
  app: App,
  { store, keys, clock }: Services,
  { signatureHeader }: { signatureHeader: string },
): void {
  app.route({
    method: 'POST',
    url: '/deliveries/:id/diagnose',
    bodyLimit,
    // It changes nothing.
    config: { forViewers: true },
    schema: {
      operationId: 'diagnoseDelivery',
      tags,
      summary: "Why a receiver refuses a delivery's signature",
      description:
        'Verifies the signature as the receiver should, at the moment of the attempt; where it does not fit, tries the usual ' +
        'mistakes until it does. Compare with what the receiver has: its body, headers and secret. Changes nothing: it is a ' +
        'POST because of what is sent. No secret is answered.',
      params: idParams,
      body: seen,
      response: { 200: z.object({ data: diagnosis }) },
    },
    handler: async ({ params, body }) => {
      const setting = { keys, signatureHeader, now: clock.now() };
      return { data: viewExamination(await diagnoseDelivery(store, { id: params.id, ...body }, setting)) };
    },
  });

  app.route({
    method: 'GET',
    url: '/reasons',
    schema: {
      operationId: 'listReasons',
      tags,
      summary: "The register of what stands in a delivery's `reason` and an attempt's `outcome`",
      response: {
        200: z.object({
          data: z.array(
            z.object({
              reason: z.string(),
              kind: z
                .enum(reasonKinds)
                .describe(
                  '`error`: why an attempt failed. `skipped`: why none was made. `operator`: who asked for the next one.',
                ),
              title: z.string().describe('A few words.'),
              meaning: z.string().describe('What happened.'),
              advice: z.string().nullable().describe('What can be done about it; null where there is nothing to do.'),
            }),
          ),
        }),
      },
    },
    handler: async () => ({ data: reasons }),
  });
}

function viewExamination({ attempt, diagnosis: found, checked }: Examination): z.input<typeof diagnosis> {
  const { valid, scheme, reason, message, cause, findings, replayChecked } = found;
  const words = { proved: 'The mistake:', suspected: 'Likely:', none: '' }[cause];
  return {
    genuine: valid,
    verdict: [message, words, ...findings.map(({ says }) => says)].filter(Boolean).join(' '),
    attempt,
    finding: { scheme, reason, cause, mistakes: findings, replay_checked: replayChecked },
    checked,
  };
}

import { z } from 'zod';
import { languages } from '../../../receivers/doctor/languages.ts';
import type { App, Services } from '../../http/api.ts';
import { routesOf } from '../../http/routes.ts';
import { reasonKinds, reasons } from '../../webhooks/model/reasons.ts';
import { type ComparisonCase, comparisonTexts, diagnoseDelivery, type Examination } from '../../webhooks/operator/diagnose.ts';
import { type Audience, operators } from '../audience.ts';
import { idParams } from './views.ts';

const tags = ['Deliveries'];

export const languageField = z.enum(languages).default('node').describe('The language of the lines of code.');

const headerValue = z.string().max(8192);
/** The longest JSON body within the default limit, with all characters escaped. */
const bodyLimit = 2 * 1024 * 1024;

const seen = z.strictObject({
  attempt: z.int().min(1).max(100_000).optional().describe('The number of the attempt. Default: the last one.'),
  body: z.string().max(262_144).optional().describe('The raw body that the receiver got. Default: the body that was sent.'),
  headers: z
    .record(z.string().max(200), z.union([headerValue, z.array(headerValue).max(20)]))
    .refine((headers) => Object.keys(headers).length <= 200, { message: 'must be at most 200', params: { rule: 'too_many' } })
    .optional()
    .describe('The request headers that the receiver got. Default: the headers of the attempt.'),
  secret: z
    .string()
    .max(1000)
    .optional()
    .describe("The secret that the receiver uses. Default: the endpoint's secret. It is not recorded.")
    .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
  language: languageField,
});

export const diagnosisView = z.object({
  genuine: z.boolean().describe('True if the signature is valid for the given secret or the secret of the attempt.'),
  verdict: z.string().describe('The result in one or two sentences.'),
  attempt: z.int().nullable().describe('The attempt it was compared with; null if none is kept.'),
  finding: z.object({
    scheme: z.enum(['standard-webhooks', 'service-signature']).nullable().describe('The signature scheme that decides.'),
    reason: z.string().nullable().describe('Why a receiver refuses it; null if it is genuine.'),
    message: z.string().describe('What the check of the signature says.'),
    cause: z
      .enum(['proved', 'suspected', 'none'])
      .describe(
        '`proved`: without these mistakes the signature is valid. `suspected`: likely mistakes. `none`: no mistake found.',
      ),
    mistakes: z.array(
      z.object({
        id: z.string(),
        says: z.string(),
        fix: z.string().describe('How to fix it.'),
        code: z.string().nullable().describe('A line of code in the wanted language; null if code does not fix it.'),
      }),
    ),
    replay_checked: z.boolean().describe('True if the signature covers the time of the attempt.'),
  }),
  checked: z.array(
    z.object({
      what: z.enum(['body', 'headers', 'secret']),
      same: z.boolean().nullable().describe('True if equal to what was sent; null if there is nothing to compare.'),
      says: z.string(),
      case: z.enum(Object.keys(comparisonTexts) as [ComparisonCase, ...ComparisonCase[]]).describe('`says` as a code.'),
      values: z.record(z.string(), z.string()).describe('The parts of `says` that vary.'),
    }),
  ),
});

/** `POST /deliveries/{id}/diagnose`. For partners, it is behind a check that the delivery is theirs. */
export function diagnosisRoute(
  app: App,
  { store, keys, clock }: Services,
  { signatureHeader }: { signatureHeader: string },
  { operation, own }: Audience = operators,
): void {
  const route = routesOf(app, tags);
  route('POST /deliveries/:id/diagnose', {
    operationId: operation('diagnoseDelivery'),
    summary: "Diagnose why a receiver refuses a delivery's signature",
    description:
      'Verifies the signature as a receiver should at the time of the attempt. If it is not valid, tries the usual mistakes ' +
      'until it is. Send the body, headers and secret that the receiver has to compare them. It changes nothing and is a POST ' +
      'only because of its body. The reply contains no secret.',
    params: idParams,
    body: seen,
    data: diagnosisView,
    config: { forViewers: true },
    bodyLimit,
    handler: async ({ params, body }) => {
      const setting = { keys, signatureHeader, now: clock.now(), byOwner: own };
      return viewExamination(await diagnoseDelivery(store, { id: params.id, ...body }, setting));
    },
  });
}

export function reasonsRoute(app: App, { operation }: Audience = operators): void {
  const route = routesOf(app, tags);
  route('GET /reasons', {
    operationId: operation('listReasons'),
    summary: "The possible values of a delivery's `reason` and an attempt's `outcome`",
    data: z.array(
      z.object({
        reason: z.string(),
        kind: z
          .enum(reasonKinds)
          .describe(
            '`error`: why an attempt failed. `skipped`: why no attempt was made. `operator`: an operator requested the next attempt.',
          ),
        title: z.string().describe('A few words.'),
        meaning: z.string().describe('What happened.'),
        advice: z.string().nullable().describe('How to fix it; null if there is nothing to do.'),
      }),
    ),
    handler: async () => reasons,
  });
}

export function viewExamination({ attempt, diagnosis: found, checked }: Examination): z.input<typeof diagnosisView> {
  const { valid, scheme, reason, message, cause, findings, replayChecked } = found;
  const words = { proved: 'The mistake:', suspected: 'Likely:', none: '' }[cause];
  return {
    genuine: valid,
    verdict: [message, words, ...findings.map(({ says }) => says)].filter(Boolean).join(' '),
    attempt,
    finding: { scheme, reason, message, cause, mistakes: findings, replay_checked: replayChecked },
    checked,
  };
}

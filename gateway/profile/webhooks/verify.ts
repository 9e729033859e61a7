import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { services as documents } from '../../../spec/documents/services.ts';
import { Refusal } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { text } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import { diagnosisView, languageField, viewExamination } from '../../manage/webhooks/diagnose.ts';
import { attemptView, endpointDetail, idParams, viewAttempt, viewOneOwned } from '../../manage/webhooks/views.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { readEndpoint, verifyEndpoint } from '../../webhooks/endpoints/endpoints.ts';
import { diagnoseDelivery, type SeenDelivery } from '../../webhooks/operator/diagnose.ts';
import { sendTestEvent } from '../../webhooks/operator/manual.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { testLimit } from '../audience.ts';
import { callerOf } from '../caller.ts';
import { type ProfileWebhookOptions, tags } from './own.ts';

/** An attempt that ends at its deadline has still to be recorded. */
const recordMs = 5000;
const [firstPollMs, longestPollMs] = [20, 500];

const result = z.object({
  verified: z.boolean().describe('True if the receiver accepted the test. From now on the endpoint is active.'),
  says: z.string().describe('What happened, and what to do.'),
  delivery_id: z.string().describe('The delivery of the test event. `diagnoseProfileDelivery` finds out more about it.'),
  attempt: attemptView.nullable().describe('What was sent and answered; null if no attempt ended in time.'),
  diagnosis: diagnosisView
    .nullable()
    .describe("The signature doctor's result for a failed attempt, by what was sent; null if it succeeded or was not signed."),
  endpoint: endpointDetail,
});

export function verificationRoute(app: App, services: Services, options: ProfileWebhookOptions): void {
  const route = routesOf(app, tags);
  const { store, change, clock } = services;
  route('POST /endpoints/:id/verify', {
    operationId: 'verifyProfileEndpoint',
    summary: 'Verify an endpoint with a signed test event',
    description:
      'Sends a test event now, once, and waits for the answer. A status of 2xx verifies the endpoint: it becomes active and ' +
      'receives events from then on. After any other outcome the reply has the attempt and a diagnosis of its signature, and the ' +
      'endpoint stays as it is. A new URL must be verified again. Refused with `already_verified` if it is verified.',
    params: idParams,
    body: z
      .strictObject({
        event_type: text(100).optional().describe('The event to send. Default: the first one that the endpoint wants.'),
        language: languageField,
      })
      .nullish(),
    data: result,
    config: { limits: [testLimit] },
    handler: async (request) => {
      const { id } = request.params;
      const tested = await readEndpoint(store, id);
      if (tested.active) throw alreadyVerified(id);
      const example = documents[serviceOf(callerOf(request).owner)].exampleEvent;
      const eventType = request.body?.event_type ?? tested.events?.[0] ?? example;
      const test = { endpointId: id, eventType };
      const { id: deliveryId } = await change((one) => sendTestEvent(one, test, options.catalogue, { byOwner: true }));
      const attempt = await attemptOf(store, deliveryId, options.deadlineMs + recordMs);
      const verified = attempt?.outcome === 'success';
      const endpoint = await (verified
        ? change((one) => verifyEndpoint(one, id, { url: attempt.url }))
        : readEndpoint(store, id));
      const failed = { id: deliveryId, language: request.body?.language };
      return {
        verified,
        says: wordsOn(attempt, deliveryId),
        delivery_id: deliveryId,
        attempt: attempt ? viewAttempt(attempt) : null,
        diagnosis: attempt && !verified ? await diagnosisOf(services, failed, options) : null,
        endpoint: await viewOneOwned(store, endpoint, clock.now()),
      };
    },
  });
}

const alreadyVerified = (id: string) =>
  new Refusal(
    'conflict',
    'already_verified',
    `The endpoint ${id} is verified and active. To send it a test event, use POST /profile/v1/endpoints/${id}/test.`,
  );

/** Waits until the delivery has its attempt, and returns it; undefined if there is none in time, or the delivery was skipped. */
async function attemptOf(rows: Rows, deliveryId: string, withinMs: number): Promise<Row<'attempts'> | undefined> {
  let pauseMs = firstPollMs;
  for (let waitedMs = 0; ; waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 2, longestPollMs)) {
    const delivery = await rows.get('deliveries', { id: deliveryId });
    if (delivery?.status !== 'pending' || delivery.attempts > 0)
      return (await rows.list('attempts', { where: { delivery_id: deliveryId }, limit: 1 }))[0];
    if (waitedMs >= withinMs) return undefined;
    await wait(pauseMs);
  }
}

function wordsOn(attempt: Row<'attempts'> | undefined, deliveryId: string): string {
  if (!attempt) return 'No attempt ended in time: the gateway is busy, or the endpoint was changed. Verify again in a minute.';
  const { outcome, response_status, error } = attempt;
  if (outcome === 'success')
    return `The receiver answered ${response_status}. The endpoint is verified and receives events from now on.`;
  if (outcome === 'gone')
    return 'The receiver answered 410 Gone: it wants no deliveries. A verification needs an answer of 2xx. Mend that and verify again.';
  if (outcome === 'redirect')
    return (
      `The receiver answered ${response_status}, a redirect, which is never followed. A verification needs an answer of 2xx. Set the ` +
      `endpoint's URL to the final address, or mend the receiver. Then verify again.`
    );
  if (outcome !== 'status') {
    const why = (error ?? outcome).replace(/\.$/, '');
    return `The receiver could not be reached as it must be (${why}). Mend that and verify again.`;
  }
  return (
    `The receiver answered ${response_status} instead of 2xx. If it refused the signature, find out why: POST ` +
    `/profile/v1/deliveries/${deliveryId}/diagnose with the body, headers and secret that it has. Then verify again.`
  );
}

/** Returns the doctor's diagnosis of the sent request. Null if the request was not signed, or is not stored any more. */
async function diagnosisOf({ store, keys, clock }: Services, seen: SeenDelivery, { signatureHeader }: ProfileWebhookOptions) {
  try {
    return viewExamination(await diagnoseDelivery(store, seen, { keys, signatureHeader, now: clock.now(), byOwner: true }));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

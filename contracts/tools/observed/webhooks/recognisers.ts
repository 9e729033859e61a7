import type { ServiceName } from '../../../../spec/documents/services.ts';
import { timeFindings } from '../both.ts';
import { against, type Contradiction, wrongFields } from '../documents.ts';
import type { Finding } from '../finding.ts';
import { payloadShapesOf } from '../shapes.ts';
import { attempts } from './attempts.ts';
import { payloads } from './payloads.ts';
import { digitsOf, signatures } from './signature.ts';
import type { SeenWebhook } from './webhook.ts';

/** What a webhook says about the entries of the register. `earlier`: those before it in the same run. */
export const webhookFindings = (api: ServiceName, webhook: SeenWebhook, earlier: readonly SeenWebhook[]): Finding[] =>
  // Anybody may send something to an open address. Only a documented event says something of the service.
  webhook.event === undefined
    ? []
    : [
        ...timeFindings(api, webhook.payload),
        ...[...signatures[api], ...payloads[api], payloadShapesOf(api), ...attempts[api]].flatMap((recognise) =>
          recognise(webhook, earlier),
        ),
      ];

/** The statements of the documents that a webhook contradicts. The document of pos shows neither a signature nor a body. */
export function webhookContradictions(api: ServiceName, webhook: SeenWebhook): Contradiction[] {
  const fields = webhook.event === undefined ? [] : wrongFields(api, webhook.event, webhook.body);
  if (api !== 'cohesion') return fields;
  const isJson = typeof webhook.body === 'object' && webhook.body !== null;
  return [
    ...(digitsOf(webhook) === undefined ? against('cohesion/signature-form', 'a webhook has no such header') : []),
    ...(isJson ? [] : against('cohesion/json', 'the body of a webhook is neither an object nor a list in JSON')),
    ...fields,
  ];
}

/** The contradiction of a webhook whose signature does not match, although another signature of the run matches. */
export const signatureContradiction = (api: ServiceName): Contradiction[] =>
  api === 'cohesion'
    ? against('cohesion/signature-body', 'the signature of a webhook does not fit its body and the secret that was given')
    : [];

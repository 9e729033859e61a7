import { behaviourNamed } from '../../../documents/behaviours.ts';
import type { ServiceName } from '../../../documents/services.ts';
import { type Contradiction, wrongFields } from '../documents.ts';
import type { Finding } from '../finding.ts';
import { attempts } from './attempts.ts';
import { payloads } from './payloads.ts';
import { digitsOf, signatures } from './signature.ts';
import { eventOf, type SeenWebhook } from './webhook.ts';

/** What a webhook says about the entries of the register. `earlier`: those before it in the same run. */
export const webhookFindings = (api: ServiceName, webhook: SeenWebhook, earlier: readonly SeenWebhook[]): Finding[] =>
  isOfService(api, webhook)
    ? [...signatures[api], ...payloads[api], ...attempts[api]].flatMap((recognise) => recognise(webhook, earlier))
    : [];

/** Anybody may send something to an open address. Only a documented event says something of the service. */
export const isOfService = (api: ServiceName, webhook: SeenWebhook): boolean =>
  eventOf(api, webhook) !== undefined && webhook.keyedWith !== 'another';

/** What the documents say that a webhook does not keep. */
export function webhookContradictions(api: ServiceName, webhook: SeenWebhook): Contradiction[] {
  const event = eventOf(api, webhook);
  if (event === undefined) return [];
  const fields = wrongFields(api, event, webhook.body);
  if (api !== 'cohesion') return fields;
  if (digitsOf(webhook) === undefined) return [...against('cohesion/signature-form', 'a webhook has no such header'), ...fields];
  return webhook.keyedWith === 'another'
    ? against('cohesion/signature-body', 'the signature of a webhook does not fit its body and the secret that was given')
    : fields;
}

function against(id: string, saw: string): Contradiction[] {
  const behaviour = behaviourNamed(id);
  return behaviour ? [{ section: behaviour.section, says: behaviour.says, saw }] : [];
}

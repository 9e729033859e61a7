import type { Pact } from '@pact-foundation/pact';
import { expect } from 'vitest';
import type { State } from './ask.ts';
import { type Handlers, receive, type WebhookEvent } from './clients/webhooks.ts';
import { holds, rests } from './pact.ts';
import { signature } from './shapes.ts';

interface Expected {
  event: string;
  /** The provider state that causes the event (contracts/tools/verification/STATES.md). */
  state: State;
  gaps: Readonly<Record<string, string>>;
  /** Ids of the documented behaviours without which the interaction fails. */
  holding: readonly string[];
  /** The body, without the event's name. */
  content?: object;
}

/** Checks that an event's webhook calls the consumer's handler for it, and no other. */
export async function expectMessage(
  pact: Pact,
  { event, state, gaps, holding, content = {} }: Expected,
  handle: (event: WebhookEvent) => void = () => {},
): Promise<void> {
  await holds(rests(pact.addAsynchronousInteraction(), gaps), holding)
    .given(...state)
    .expectsToReceive(event, (message) =>
      message
        .withMetadata({ 'X-SERVICE-Signature': signature, contentType: 'application/json' })
        .withJSONContent({ event, ...content }),
    )
    .executeTest(async ({ contents, metadata }) => {
      const handlers: Handlers = { [event]: handle };
      const delivery = { signature: String(metadata['X-SERVICE-Signature']), body: JSON.stringify(contents.content) };
      expect(receive(delivery, handlers)).toBe(event);
    });
}

import { isDeepStrictEqual } from 'node:util';
import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { findingsOf } from './exchange.ts';
import { emptyObserved, judged, type Observed } from './file.ts';
import type { Finding } from './finding.ts';
import { eventOf, type Webhook, webhookFindings } from './webhook.ts';

/** The maximum number of calls that the file names for each finding. */
const mostCalls = 3;

/** What was seen of a service, in this run and in those before it. */
export class Observation {
  readonly #observed: Observed;

  /** `before`: what earlier runs saw, in the file `path`. Throws `CouldNotRun` if they saw another service. */
  constructor(api: ServiceName, upstream: string, before: Observed = emptyObserved(api), path = 'The file') {
    if (before.calls + before.webhooks > 0 && before.upstream !== upstream) {
      const advice = 'Write to another file with --output FILE, or delete it.';
      throw new CouldNotRun(`${path} has what was seen of ${before.upstream}, and --upstream is ${upstream}. ${advice}`);
    }
    this.#observed = { ...structuredClone(before), upstream };
  }

  add(exchange: Exchange): Finding[] {
    const { request, reply } = exchange;
    const { api } = this.#observed;
    this.#observed.calls += 1;
    // A path that the document does not show may hold a secret.
    const operation = request.methods?.length ? request.operation : request.operation.replace(/ .*/, ' (another path)');
    return this.#note(`call ${this.#observed.calls}: ${operation} answered ${reply.status}`, findingsOf(api, exchange));
  }

  addWebhook(webhook: Webhook): Finding[] {
    const { api } = this.#observed;
    this.#observed.webhooks += 1;
    return this.#note(`webhook ${this.#observed.webhooks}: ${eventOf(api, webhook)}`, webhookFindings(api, webhook));
  }

  #note(call: string, findings: Finding[]): Finding[] {
    for (const { gap, ...said } of findings) {
      const { evidence = [] } = this.#observed.entries.find((one) => one.gap === gap) ?? {};
      const known = evidence.find(({ times: _1, calls: _2, ...one }) => isDeepStrictEqual(one, said));
      if (!known) evidence.push({ ...said, times: 1, calls: [call] });
      else known.times += 1;
      if (known && known.calls.length < mostCalls) known.calls.push(call);
    }
    return findings;
  }

  get observed(): Observed {
    return judged(this.#observed);
  }
}

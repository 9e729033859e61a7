import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { findingsOf } from './exchange.ts';
import { type Evidence, emptyObserved, entriesOf, evidenceIn, type Observed } from './file.ts';
import type { Finding, IsExcluded } from './finding.ts';
import { eventOf, type Webhook, webhookFindings } from './webhook.ts';

/** The maximum number of calls that the file names for each finding. */
const mostCalls = 3;

/** What was seen of a service, in this run and in those before it. */
export class Observation {
  readonly #observed: Observed;
  readonly #said: Map<string, Evidence[]>;

  /** `before`: what earlier runs saw, in the file `path`. Throws `CouldNotRun` if they saw another service. */
  constructor(api: ServiceName, upstream: string, before: Observed = emptyObserved(api), path = 'The file') {
    if (before.calls + before.webhooks > 0 && before.upstream !== upstream) {
      const advice = 'Write to another file with --output FILE, or delete it.';
      throw new CouldNotRun(`${path} has what was seen of ${before.upstream}, and --upstream is ${upstream}. ${advice}`);
    }
    this.#observed = { ...before, upstream };
    this.#said = evidenceIn(structuredClone(before.entries));
  }

  readonly #isExcluded: IsExcluded = (gap, way) => (this.#said.get(gap) ?? []).some(({ excludes }) => excludes?.includes(way));

  add(exchange: Exchange): Finding[] {
    const { request, reply } = exchange;
    const { api } = this.#observed;
    this.#observed.calls += 1;
    // A path that the document does not show may hold a secret.
    const operation = request.methods?.length ? request.operation : request.operation.replace(/ .*/, ' (another path)');
    const call = `call ${this.#observed.calls}: ${operation} answered ${reply.status}`;
    return this.#note(call, findingsOf(api, exchange, this.#isExcluded));
  }

  addWebhook(webhook: Webhook): Finding[] {
    const { api } = this.#observed;
    this.#observed.webhooks += 1;
    const call = `webhook ${this.#observed.webhooks}: ${eventOf(api, webhook)}`;
    return this.#note(call, webhookFindings(api, webhook, this.#isExcluded));
  }

  #note(call: string, findings: Finding[]): Finding[] {
    for (const { gap, shows, excludes, because } of findings) {
      const said = this.#said.get(gap) ?? [];
      this.#said.set(gap, said);
      const isSame = (one: Evidence) =>
        one.because === because && one.shows === shows && String(one.excludes) === String(excludes);
      const known = said.find(isSame);
      if (!known) said.push({ ...(shows && { shows }), ...(excludes && { excludes }), because, times: 1, calls: [call] });
      else known.times += 1;
      if (known && known.calls.length < mostCalls) known.calls.push(call);
    }
    return findings;
  }

  get observed(): Observed {
    return { ...this.#observed, entries: entriesOf(this.#observed.api, this.#said) };
  }
}

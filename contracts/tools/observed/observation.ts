import type { ServiceName } from '../../documents/services.ts';
import { findOperation, operationsOf } from '../../openapi/operations.ts';
import { isRecord } from '../json.ts';
import { secretsIn } from '../secrets.ts';
import { type Contradiction, contradictionsIn, isOfDocument } from './documents.ts';
import { type Evidence, type EvidenceCall, emptyObserved, entriesOf, type Observed, type SeenContradiction } from './file.ts';
import type { Finding, SeenCall } from './finding.ts';
import { findingsOf } from './recognisers.ts';
import { hiddenName, isShown, shapeOf } from './shape.ts';
import { isOfService, webhookContradictions, webhookFindings } from './webhooks/recognisers.ts';
import { eventOf, type SeenWebhook } from './webhooks/webhook.ts';

/** How many earlier calls and webhooks recognisers look at, and how many calls stand for each finding in the file. */
const [mostEarlier, mostWebhooks, mostEvidence] = [1000, 300, 3];

/** What was seen of a service, in this run and in those before it. */
export class Observation {
  readonly #api: ServiceName;
  readonly #observed: Observed;
  readonly #evidence: Map<string, Evidence[]>;
  readonly #earlier: SeenCall[] = [];
  readonly #earlierWebhooks: SeenWebhook[] = [];
  readonly #secrets = new Set<string>();
  #number = 0;
  #webhookNumber = 0;

  /** `before`: what earlier runs saw. `upstream`: the origin of the service. */
  constructor(api: ServiceName, upstream: string, before: Observed = emptyObserved(api)) {
    this.#api = api;
    this.#observed = { ...structuredClone(before), upstreams: [upstream], runs: before.runs + 1 };
    this.#evidence = new Map(this.#observed.entries.map((entry) => [entry.gap, entry.evidence]));
  }

  /** Adds a call of this run. Returns what it says. */
  add(seen: Omit<SeenCall, 'number'>, at: Date): Finding[] {
    this.#number += 1;
    const call: SeenCall = { ...seen, number: this.#number };
    const { asked, reply } = call;
    this.#hide(asked.headers, asked.query, asked.body, reply.headers, reply.body);
    const findings = findingsOf(this.#api, call, this.#earlier);
    const id = `run ${this.#observed.runs}, call ${call.number}`;
    this.#note(id, findings, contradictionsIn(this.#api, call));
    this.#count(call, at);
    this.#observed.evidence[id] = this.#shown(call, at);
    if (isOfDocument(this.#api, call)) this.#earlier.push(call);
    if (this.#earlier.length > mostEarlier) this.#earlier.shift();
    return findings;
  }

  /** Adds a webhook of this run. Returns what it says. */
  addWebhook(seen: Omit<SeenWebhook, 'number'>): Finding[] {
    this.#webhookNumber += 1;
    const webhook: SeenWebhook = { ...seen, number: this.#webhookNumber };
    this.#hide(webhook.headers, webhook.body);
    const findings = webhookFindings(this.#api, webhook, this.#earlierWebhooks);
    const id = `run ${this.#observed.runs}, webhook ${webhook.number}`;
    this.#note(id, findings, webhookContradictions(this.#api, webhook));
    this.#observed.webhooks += 1;
    this.#observed.evidence[id] = this.#shownWebhook(webhook);
    if (isOfService(this.#api, webhook)) this.#earlierWebhooks.push(webhook);
    if (this.#earlierWebhooks.length > mostWebhooks) this.#earlierWebhooks.shift();
    return findings;
  }

  #note(id: string, findings: readonly Finding[], contradictions: readonly Contradiction[]): void {
    for (const { gap, ...said } of findings) this.#evidence.set(gap, withOne(this.#evidence.get(gap) ?? [], said, id));
    for (const contradicted of contradictions)
      this.#observed.contradictions = withOne<Omit<SeenContradiction, 'times' | 'calls'>>(
        this.#observed.contradictions,
        contradicted,
        id,
      );
  }

  #hide(...values: unknown[]): void {
    for (const secret of values.flatMap(secretsIn)) this.#secrets.add(secret);
  }

  /** What was seen so far, as the file has it. */
  get observed(): Observed {
    const entries = entriesOf(this.#api, this.#evidence);
    const named = new Set(
      [...entries.flatMap((entry) => entry.evidence), ...this.#observed.contradictions].flatMap(({ calls }) => calls),
    );
    const evidence = Object.fromEntries(
      Object.entries(this.#observed.evidence)
        .filter(([id]) => named.has(id))
        .map(([id, call]) => [
          id,
          { ...call, request: this.#withoutSecrets(call.request), reply: this.#withoutSecrets(call.reply) },
        ]),
    );
    this.#observed.evidence = evidence;
    return { ...this.#observed, entries, evidence };
  }

  /** A later call may show that a name of an earlier one is a secret. */
  #withoutSecrets = (shape: unknown): unknown => {
    if (Array.isArray(shape)) return shape.map(this.#withoutSecrets);
    if (!isRecord(shape)) return shape;
    return Object.fromEntries(
      Object.entries(shape).map(([name, held]) => [this.#secrets.has(name) ? hiddenName : name, this.#withoutSecrets(held)]),
    );
  };

  #count(call: SeenCall, at: Date): void {
    const observed = this.#observed;
    const operation = this.#operation(call);
    observed.calls += 1;
    observed.operations[operation] = (observed.operations[operation] ?? 0) + 1;
    observed.first_call ??= at.toISOString();
    observed.last_call = at.toISOString();
  }

  #shown(call: SeenCall, at: Date): EvidenceCall {
    const { asked, reply } = call;
    const [method = ''] = asked.operation.split(' ');
    const known = (findOperation(this.#api, method, asked.path)?.operation.parameters ?? []).map(({ name }) => name);
    return {
      at: at.toISOString(),
      operation: this.#operation(call),
      query: Object.keys(asked.query).map((name) => (known.includes(name) ? name : 'another parameter')),
      request: shapeOf(asked.body),
      status: reply.status,
      reply: shapeOf(reply.body),
    };
  }

  #shownWebhook(webhook: SeenWebhook): EvidenceCall {
    const { at, headers, body, answer } = webhook;
    return {
      at: at.toISOString(),
      operation: `webhook ${eventOf(this.#api, webhook) ?? '(another event)'}`,
      query: [],
      headers: Object.keys(headers).filter(isShown),
      request: shapeOf(body),
      status: answer?.status ?? null,
      reply: 'nothing',
    };
  }

  /** Paths that the document does not show may hold secrets. */
  #operation({ asked }: SeenCall): string {
    const [method = ''] = asked.operation.split(' ');
    const found = findOperation(this.#api, method, asked.path);
    if (found) return `${method} ${found.path}`;
    const isKnown = operationsOf(this.#api).some(({ path }) => path === asked.path);
    return `${method} ${isKnown ? asked.path : '(another path)'}`;
  }
}

/** Counts what was said before, or adds it. */
function withOne<S extends object>(list: readonly (S & { times: number; calls: string[] })[], said: S, id: string) {
  const known = list.find((one) => Object.entries(said).every(([name, value]) => String(one[name as keyof S]) === String(value)));
  if (!known) return [...list, { ...said, times: 1, calls: [id] }];
  const counted = { ...known, times: known.times + 1, calls: [...known.calls, id].slice(0, mostEvidence) };
  return list.map((one) => (one === known ? counted : one));
}

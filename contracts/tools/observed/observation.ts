import type { ServiceName } from '../../documents/services.ts';
import { isRecord } from '../../json.ts';
import { operationsOf } from '../../openapi/operations.ts';
import { secretsIn } from '../secrets.ts';
import { type Exchanged, SeenCall } from './call.ts';
import { contradictionsIn, isOfDocument } from './documents.ts';
import { type EvidenceCall, emptyObserved, entriesOf, type Observed } from './file.ts';
import type { Finding } from './finding.ts';
import { mostEvidence, type Notes, noNotes, noted, together } from './notes.ts';
import { findingsOf } from './recognisers.ts';
import { hiddenName, isShown, shapeOf } from './shape.ts';
import { signatureContradiction, webhookContradictions, webhookFindings } from './webhooks/recognisers.ts';
import { type Received, type SeenWebhook, seenWebhook } from './webhooks/webhook.ts';

/** How many earlier calls and webhooks recognisers look at. */
const [mostEarlier, mostWebhooks] = [1000, 300];

/** What was seen of a service, in this run and in those before it. */
export class Observation {
  readonly #api: ServiceName;
  readonly #observed: Observed;
  #notes: Notes;
  readonly #earlier: SeenCall[] = [];
  #earlierWebhooks: SeenWebhook[] = [];
  /** What webhooks say whose signature does not fit. It counts until one fits: until then the given secret may be wrong. */
  #misfitNotes = noNotes;
  #misfits: string[] = [];
  #hasFit = false;
  readonly #secrets = new Set<string>();
  #number = 0;
  #webhookNumber = 0;

  /** `before`: what earlier runs saw. `upstream`: the origin of the service. */
  constructor(api: ServiceName, upstream: string, before: Observed = emptyObserved(api)) {
    this.#api = api;
    this.#observed = { ...structuredClone(before), upstreams: [upstream], runs: before.runs + 1 };
    const findings = this.#observed.entries.flatMap(({ gap, evidence }) => evidence.map((one) => ({ gap, ...one })));
    this.#notes = { findings, contradictions: this.#observed.contradictions };
  }

  /** Adds a call of this run. Returns what it says. */
  add(seen: Exchanged, at: Date): Finding[] {
    this.#number += 1;
    const call = new SeenCall(seen, this.#number);
    const { asked, reply } = call;
    this.#hide(asked.headers, asked.query, asked.body, reply.headers, reply.body);
    const findings = findingsOf(this.#api, call, this.#earlier);
    const id = `run ${this.#observed.runs}, call ${call.number}`;
    this.#notes = noted(this.#notes, id, findings, contradictionsIn(this.#api, call));
    this.#count(call, at);
    this.#observed.evidence[id] = this.#shown(call, at);
    if (isOfDocument(this.#api, call)) this.#earlier.push(call);
    if (this.#earlier.length > mostEarlier) this.#earlier.shift();
    return findings;
  }

  /** Adds a webhook of this run. Returns what it says. */
  addWebhook(received: Received): Finding[] {
    const webhook = seenWebhook(this.#api, received);
    this.#webhookNumber += 1;
    this.#hide(webhook.headers, webhook.body);
    const id = `run ${this.#observed.runs}, webhook ${this.#webhookNumber}`;
    this.#observed.webhooks += 1;
    this.#observed.evidence[id] = this.#shownWebhook(webhook);
    const isMisfit = webhook.keyedWith === 'another';
    if (isMisfit && this.#hasFit) {
      this.#notes = noted(this.#notes, id, [], signatureContradiction(this.#api));
      return [];
    }
    if (isMisfit) this.#misfits.push(id);
    else if (webhook.keyedWith !== undefined) this.#noteFit();
    const findings = webhookFindings(this.#api, webhook, this.#earlierWebhooks);
    const contradictions = webhookContradictions(this.#api, webhook);
    if (isMisfit) this.#misfitNotes = noted(this.#misfitNotes, id, findings, contradictions);
    else this.#notes = noted(this.#notes, id, findings, contradictions);
    if (webhook.event !== undefined) this.#earlierWebhooks.push(webhook);
    if (this.#earlierWebhooks.length > mostWebhooks) this.#earlierWebhooks.shift();
    return findings;
  }

  /** True if the secret checked signatures in this run, and none of them fits. */
  get isSecretWrong(): boolean {
    return this.#misfits.length > 0 && !this.#hasFit;
  }

  /** The secret is right: what does not fit contradicts the document, and may be of anybody. */
  #noteFit(): void {
    if (this.#hasFit) return;
    this.#hasFit = true;
    for (const id of this.#misfits) this.#notes = noted(this.#notes, id, [], signatureContradiction(this.#api));
    this.#misfitNotes = noNotes;
    this.#earlierWebhooks = this.#earlierWebhooks.filter(({ keyedWith }) => keyedWith !== 'another');
  }

  #hide(...values: unknown[]): void {
    for (const secret of values.flatMap(secretsIn)) this.#secrets.add(secret);
  }

  /** What was seen so far, as the file has it. */
  get observed(): Observed {
    const { findings, contradictions } = together(this.#notes, this.#misfitNotes);
    const named = new Set([...findings, ...contradictions].flatMap(({ calls }) => calls));
    // These contradict the document as soon as another signature fits.
    const pending = this.#hasFit ? [] : this.#misfits.slice(0, mostEvidence);
    const kept = Object.entries(this.#observed.evidence).filter(([id]) => named.has(id) || pending.includes(id));
    this.#observed.evidence = Object.fromEntries(kept);
    const shown = kept.filter(([id]) => named.has(id)).map(([id, call]) => [id, this.#withoutSecrets(call)]);
    const evidence: Observed['evidence'] = Object.fromEntries(shown);
    return { ...this.#observed, entries: entriesOf(this.#api, findings), contradictions: [...contradictions], evidence };
  }

  /** A later call may show that a name of an earlier one is a secret. */
  #withoutSecrets(call: EvidenceCall): EvidenceCall {
    const hidden = (shape: unknown): unknown => {
      if (Array.isArray(shape)) return shape.map(hidden);
      if (!isRecord(shape)) return shape;
      return Object.fromEntries(
        Object.entries(shape).map(([name, held]) => [this.#secrets.has(name) ? hiddenName : name, hidden(held)]),
      );
    };
    return { ...call, request: hidden(call.request), reply: hidden(call.reply) };
  }

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
    const known = (call.servedBy(this.#api)?.operation.parameters ?? []).map(({ name }) => name);
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
    const { at, headers, body, answer, event } = webhook;
    return {
      at: at.toISOString(),
      operation: `webhook ${event ?? '(another event)'}`,
      query: [],
      headers: Object.keys(headers).filter(isShown),
      request: shapeOf(body),
      status: answer?.status ?? null,
      reply: 'nothing',
    };
  }

  /** Paths that the document does not show may hold secrets. */
  #operation(call: SeenCall): string {
    const { path } = call.servedBy(this.#api) ?? operationsOf(this.#api).find((one) => one.path === call.asked.path) ?? {};
    return `${call.method} ${path ?? '(another path)'}`;
  }
}

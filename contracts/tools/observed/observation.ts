import type { ServiceName } from '../../../spec/documents/services.ts';
import { isRecord } from '../../../spec/json.ts';
import { operationsOf } from '../../../spec/openapi/operations.ts';
import { secretsIn } from '../secrets.ts';
import { type Exchanged, SeenCall } from './call.ts';
import { contradictionsIn, isOfDocument } from './documents.ts';
import { type EvidenceCall, emptyObserved, entriesOf, findingsIn, type Observed } from './file.ts';
import type { Finding } from './finding.ts';
import { callsIn, type Noted, type Notes, noted } from './notes.ts';
import { findingsOf } from './recognisers.ts';
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
  readonly #earlierWebhooks: SeenWebhook[] = [];
  /** The findings from webhooks whose signature does not match. As long as no signature matches, the given secret may be wrong. */
  readonly #misfits: Noted[] = [];
  #hasFit = false;
  readonly #secrets = new Set<string>();
  #number = 0;
  #webhookNumber = 0;

  /** `before`: what earlier runs saw. `upstream`: the origin of the service. */
  constructor(api: ServiceName, upstream: string, before: Observed = emptyObserved(api)) {
    this.#api = api;
    this.#observed = { ...structuredClone(before), upstreams: [upstream], runs: before.runs + 1 };
    this.#notes = { findings: findingsIn(this.#observed.entries), contradictions: this.#observed.contradictions };
  }

  add(seen: Exchanged, at: Date): Finding[] {
    this.#number += 1;
    const call = new SeenCall(seen);
    const { asked, reply } = call;
    const observed = this.#observed;
    this.#hide(asked.headers, asked.query, asked.body, reply.headers, reply.body);
    const findings = findingsOf(this.#api, call, this.#earlier);
    const id = `run ${observed.runs}, call ${this.#number}`;
    this.#notes = noted(this.#notes, { id, findings, contradictions: contradictionsIn(this.#api, call) });
    const operation = this.#operation(call);
    observed.calls += 1;
    observed.operations[operation] = (observed.operations[operation] ?? 0) + 1;
    observed.last_call = at.toISOString();
    observed.first_call ??= observed.last_call;
    const known = (call.servedBy(this.#api)?.operation.parameters ?? []).map(({ name }) => name);
    observed.evidence[id] = {
      at: observed.last_call,
      operation,
      query: Object.keys(asked.query).map((name) => (known.includes(name) ? name : 'another parameter')),
      request: shapeOf(asked.body),
      status: reply.status,
      reply: shapeOf(reply.body),
    };
    if (isOfDocument(this.#api, call)) this.#earlier.push(call);
    if (this.#earlier.length > mostEarlier) this.#earlier.shift();
    return findings;
  }

  addWebhook(received: Received): Finding[] {
    const webhook = seenWebhook(this.#api, received);
    const { at, headers, body, answer, event, keyedWith } = webhook;
    this.#webhookNumber += 1;
    this.#hide(headers, body);
    const id = `run ${this.#observed.runs}, webhook ${this.#webhookNumber}`;
    this.#observed.webhooks += 1;
    this.#observed.evidence[id] = {
      at: at.toISOString(),
      operation: `webhook ${event ?? '(another event)'}`,
      query: [],
      headers: Object.keys(headers).filter(isShown),
      request: shapeOf(body),
      status: answer?.status ?? null,
      reply: 'nothing',
    };
    const isMisfit = keyedWith === 'another';
    this.#hasFit ||= keyedWith !== undefined && !isMisfit;
    const earlier = this.#earlierWebhooks.filter((one) => !this.#hasFit || one.keyedWith !== 'another');
    const findings = webhookFindings(this.#api, webhook, earlier);
    const said = { id, findings, contradictions: webhookContradictions(this.#api, webhook) };
    if (event !== undefined) this.#earlierWebhooks.push(webhook);
    if (this.#earlierWebhooks.length > mostWebhooks) this.#earlierWebhooks.shift();
    if (isMisfit) this.#misfits.push(said);
    else this.#notes = noted(this.#notes, said);
    return isMisfit && this.#hasFit ? [] : findings;
  }

  /** True if the secret checked signatures in this run, and none of them fits. */
  get isSecretWrong(): boolean {
    return this.#misfits.length > 0 && !this.#hasFit;
  }

  #hide(...values: unknown[]): void {
    for (const secret of values.flatMap(secretsIn)) this.#secrets.add(secret);
  }

  get observed(): Observed {
    // If another signature matches, the secret is right. Then a webhook whose signature does not match contradicts the document,
    // and anybody may have sent it.
    const ofAnybody = { findings: [], contradictions: signatureContradiction(this.#api) };
    const misfits = this.#misfits.map((said) => (this.#hasFit ? { ...said, ...ofAnybody } : said));
    const { findings, contradictions } = misfits.reduce(noted, this.#notes);
    const named = callsIn({ findings, contradictions });
    const kept = Object.entries(this.#observed.evidence).filter(([id]) => named.has(id) || misfits.some((one) => one.id === id));
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

  /** Paths that the document does not show may hold secrets. */
  #operation(call: SeenCall): string {
    const { path } = call.servedBy(this.#api) ?? operationsOf(this.#api).find((one) => one.path === call.asked.path) ?? {};
    return `${call.method} ${path ?? '(another path)'}`;
  }
}

const [deepest, mostNames, longestName] = [6, 40, 40];

/** Replaces a name that may itself be a value. */
const hiddenName = '…';

/** The names of a value's fields and the kinds of their values, and no value. */
function shapeOf(value: unknown, depth = 0): unknown {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (depth === deepest && typeof value === 'object') return '…';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0], depth + 1)];
  if (!isRecord(value)) return Number.isInteger(value) ? 'integer' : typeof value;
  const entries = Object.entries(value).slice(0, mostNames);
  return Object.fromEntries(entries.map(([name, held]) => [isShown(name) ? name : hiddenName, shapeOf(held, depth + 1)]));
}

/** A name with digits in a row may be an id, a key or a telephone number. */
const isShown = (name: string) => /^[A-Za-z_$@][\w$@.-]*$/.test(name) && name.length <= longestName && !/\d{4}/.test(name);

import { behaviours } from '../../../spec/documents/behaviours.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { jsonOr } from '../../../spec/json.ts';
import { operationsOf } from '../../../spec/openapi/operations.ts';
import type { Call } from '../recording/recorded.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { type Coverage, coverUses, fieldsIn, nameOf, type TokenUse, takenBy, type Use } from './coverage.ts';
import { openJudge, type ShownCall } from './shown.ts';

/** A call that a stub received. */
export interface SuiteCall extends Call {
  /** The operationId. */
  operation?: string;
  /** Why it was refused. */
  refusal?: { code?: string | undefined };
  /** The fault that answered it. */
  fault?: string;
}

interface MutableUse extends Use {
  query: string[];
  body: string[];
}

/** What a suite does with an API, in one entry for each operation and status, however many calls there are. */
export class SuiteUse {
  readonly #provider: ServiceName;
  readonly #isSecured: boolean;
  readonly #uses = new Map<string, MutableUse>();
  readonly #events = new Set<string>();
  readonly #isShown = openJudge();
  readonly #shown = new Map<string, Set<string>>();
  readonly #faulted = new Set<string>();
  /** The abilities that calls with a token needed. */
  readonly #tokens = new Map<string, Set<string>>();

  /** `isSecured`: over https. */
  constructor(provider: ServiceName, isSecured = false) {
    this.#provider = provider;
    this.#isSecured = isSecured;
  }

  call(call: SuiteCall): void {
    const { method, url, requestHeaders, requestBody, status, responseHeaders, responseBody, refusal, fault } = call;
    const operation = operationsOf(this.#provider).find((one) => one.operation.operationId === (call.operation ?? ''));
    const path = operation?.path ?? new Hider(secretsIn(call)).text(url.split('?')[0] ?? '');
    const by = `${method} ${path} ${status}`;
    const use: MutableUse = this.#uses.get(by) ?? {
      by,
      times: 0,
      method,
      path,
      operation,
      status: String(status),
      query: [],
      body: [],
    };
    this.#uses.set(by, use);
    if (fault !== undefined) this.#faulted.add(by);
    const query = new URLSearchParams(url.split('?')[1]);
    const request = jsonOr(requestBody, undefined);
    const body = fieldsIn(request);
    use.times += 1;
    use.query = [...new Set([...use.query, ...query.keys()])];
    use.body = [...new Set([...use.body, ...body])];
    if (operation === undefined) return;
    const header = Object.entries(requestHeaders).find(([name]) => name.toLowerCase() === 'authorization');
    const [, token] = /^Bearer (.+)$/i.exec(String(header?.[1] ?? '')) ?? [];
    // A call that is only delayed gets the same reply as any other call.
    const isFaulty = fault !== undefined && !/^[^;]*:delay\b[^;]*$/.test(fault);
    const taken = takenBy(operation);
    this.#show(nameOf(operation), by, {
      status,
      query,
      request,
      sent: [...query.keys(), ...body],
      taken: [...taken.query, ...taken.body],
      reply: jsonOr(responseBody, undefined),
      refusal: refusal?.code,
      limit: Number(responseHeaders['ratelimit-limit']),
      hasToken: header !== undefined,
      isFaulty,
    });

    if (token === undefined || status === 401) return;
    const needed = this.#tokens.get(token) ?? new Set();
    const ability = operation.operation['x-ability'];
    const isLetIn = status < 400 || !(isFaulty || ['ability_missing', 'user_inactive'].includes(refusal?.code ?? ''));
    this.#tokens.set(token, ability !== undefined && isLetIn ? needed.add(ability) : needed);
  }

  /** A webhook that the suite's receiver accepted. */
  event(type: string): void {
    this.#events.add(type);
    this.#show(type, `webhook ${type}`);
  }

  /** True if no call came. */
  get isEmpty(): boolean {
    return this.#uses.size === 0;
  }

  /** `tokens`: those of the stub. */
  coverage(command: string, tokens: readonly { name: string; token: string; abilities: readonly string[] }[]): Coverage {
    const events = [...this.#events].map((type) => ({ type, by: `webhook ${type}` }));
    const covered = coverUses(this.#provider, [...this.#uses.values()], events);
    return {
      provider: this.#provider,
      consumers: [command],
      ...covered,
      // A fault may use a status that the document does not have. This is not the suite's mistake.
      unknown: covered.unknown.filter(({ by, what }) => !(this.#faulted.has(by) && / status \d+$/.test(what))),
      behaviours: behaviours[this.#provider].map(({ id, section, says, on }) => ({
        id,
        section,
        says,
        on,
        tests: [],
        by: [...(this.#shown.get(id) ?? [])],
      })),
      tokens: tokens.flatMap(({ name, token, abilities }): TokenUse[] => {
        const needs = this.#tokens.get(token);
        return needs === undefined ? [] : [{ name, abilities: [...abilities], needs: [...needs] }];
      }),
    };
  }

  #show(of: string, by: string, call?: ShownCall): void {
    for (const one of behaviours[this.#provider]) {
      const shown = this.#shown.get(one.id) ?? new Set();
      if (one.says.includes('HTTPS') && !this.#isSecured) continue;
      if (one.on.includes(of) && !shown.has(by) && (call === undefined || this.#isShown(one, call)))
        this.#shown.set(one.id, shown.add(by));
    }
  }
}

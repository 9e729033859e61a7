import { type Exchange, unsent } from '../../gateway/webhooks/sending/exchange.ts';
import { outcomeOf } from '../../gateway/webhooks/sending/outcome.ts';
import type { Fenced } from '../../gateway/webhooks/sending/send.ts';
import type { FaultKind, Faults } from './faults.ts';
import type { Oracle } from './oracle.ts';
import { stores } from './plan.ts';
import type { Random } from './random.ts';
import type { Servers } from './servers.ts';
import type { Process, World } from './world.ts';

/** One request that a receiver got. */
export interface Receipt {
  url: string;
  /** The endpoint that has, or had, this URL. */
  endpointId: string;
  eventId: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  process: Process;
  /** From when on the process may have read the endpoint. */
  knownFromMs: number;
  /** What its clock said when it began, and for how long its machine's had been so far off that it must not send. */
  clockMs: number;
  farOffForMs: number;
  /** When the sender began, and when it had the answer or gave up; infinity while it waits. */
  beganMs: number;
  endedMs: number;
  /** The receiver took it, whether the sender knows or not. */
  isTaken: boolean;
}

export const deadlineMs = 15_000;
/** What a request ends with that the proxy failed. */
export const proxyIsAway = 'The proxy is away.';

/** What goes wrong before a request is sent, and what may come in place of an answer. */
const beforeTheRequest = ['dns', 'connect', 'tls', 'blocked_address'] as const;
const insteadOfAnswers = ['reset', 'protocol', 'response_too_large', 'unknown'] as const;

/** A process knows an endpoint for half a second, and slow calls may lie between an admission and its attempt. */
export const cachedMs = 15_000;

/** Shorter or longer than the gateways retry; and longer than they keep an endpoint active that only fails. */
const awayHours = [
  [1, 110],
  [115, 125],
] as const;

interface Answer {
  status: number;
  afterMs: number;
  isCut?: boolean;
  retryAfter?: string | undefined;
}

/** The receivers of a run, and all that they got. */
export class Receivers {
  readonly #world: World;
  readonly #oracle: Oracle;
  readonly #faults: Faults;
  readonly receipts: Receipt[] = [];
  /** Until when each is down. */
  readonly #down = new Map<string, number>();
  /** The store whose events each refuses; null for none. */
  readonly #refused = new Map<string, string | null>();

  constructor(servers: Servers) {
    const { world, faults, oracle } = servers;
    this.#oracle = oracle;
    this.#world = world;
    this.#faults = faults;
  }

  /** The sender of a process. */
  senderOf(process: Process) {
    return {
      post: (url: string, headers: Record<string, string>, body: string | Fenced) => this.#post(process, url, headers, body),
      load() {},
      async close() {},
      async abort() {},
    };
  }

  async #post(process: Process, url: string, headers: Record<string, string>, body: string | Fenced): Promise<Exchange> {
    const world = this.#world;
    const random = world.random(`receiver ${url}`);
    const [beganMs, clockMs] = [world.nowMs, process.clock.now()];
    const farOffForMs = beganMs - process.farOffSinceMs;
    // The worst moment: another process takes the delivery over, and what comes after it.
    if (this.#faults.happens('process suspended', process.name, 0.005))
      process.suspend(world.random(`suspension of ${process.name}`).whole(25_000, 60_000));
    await world.wait(random.whole(1, 20), process);
    if (this.#faults.isAway('proxy')) {
      world.count('request without proxy');
      return { ...unsent('connect', proxyIsAway), proxyFailed: { status: null } };
    }
    if (this.#faults.happens('receiver refuses', url, 0.1)) return unsent(random.pick(beforeTheRequest), 'It was not sent.');
    let text = '';
    try {
      if (typeof body === 'string') text = body;
      else for await (const chunk of body.chunks) text += chunk.toString();
    } catch (error) {
      return unsent('unknown', (error as Error).message);
    }
    const receipt: Receipt = {
      url,
      endpointId: this.#oracle.endpointAt(url),
      eventId: headers['webhook-id'] ?? '',
      body: text,
      headers,
      process,
      knownFromMs: (beganMs < process.resumesAtMs + cachedMs ? process.disturbedAtMs : beganMs) - cachedMs,
      clockMs,
      farOffForMs,
      beganMs,
      endedMs: Number.POSITIVE_INFINITY,
      isTaken: false,
    };
    const answer = this.#answer(url, receipt.eventId, random);
    // The request arrives, whatever becomes of its sender.
    world.after(random.whole(0, 5), () => {
      this.receipts.push(receipt);
      receipt.isTaken = answer.status < 300;
      world.note('received', `${receipt.eventId} at ${receipt.endpointId} from ${process.name}, ${answer.status}`);
    });
    await world.wait(Math.min(answer.afterMs + 6, deadlineMs), process);
    receipt.endedMs = world.nowMs;
    if (answer.afterMs >= deadlineMs) return unsent('timeout', 'The deadline passed.');
    if (answer.isCut) return unsent(random.pick(insteadOfAnswers), 'There is no answer.');
    return { ...unsent(outcomeOf(answer.status), null), status: answer.status, body: text, retryAfter: answer.retryAfter };
  }

  /** A receiver that is down stays so, also when all other faults are over. One that is away comes back after hours or days. */
  isDown(url: string): boolean {
    const known = this.#down.get(url) ?? this.#downUntil(url);
    this.#down.set(url, known);
    return this.#world.nowMs < known;
  }

  /** A receiver that refuses the events of a store does so for good. */
  refused(url: string): string | null {
    const known = this.#refused.get(url);
    if (known !== undefined) return known;
    const does = this.#faults.happens('receiver refuses a store', url, 0.3);
    const store = does ? this.#world.random(`store refused by ${url}`).pick(stores) : null;
    this.#refused.set(url, store);
    return store;
  }

  #downUntil(url: string): number {
    if (this.#faults.happens('receiver down', url, 0.08)) return Number.POSITIVE_INFINITY;
    if (!this.#faults.happens('receiver away', url, 0.4)) return 0;
    const random = this.#world.random(`absence of ${url}`);
    const [least, most] = random.pick(awayHours);
    return this.#world.nowMs + random.whole(least, most) * 3_600_000;
  }

  /** Seconds, a date, or nonsense. */
  #retryAfter(random: Random): string {
    const seconds = random.whole(1, 120);
    return random.pick([String(seconds), new Date(this.#world.nowMs + seconds * 1000).toUTCString(), '-1', 'soon', '99999999']);
  }

  #answer(url: string, eventId: string, random: Random): Answer {
    const happens = (kind: FaultKind, probability: number) => this.#faults.happens(kind, url, probability);
    const soonMs = random.whole(1, 120);
    // With 502 it asks for fewer deliveries, which holds its endpoint.
    if (this.isDown(url)) return { status: url.length % 2 === 0 ? 502 : 500, afterMs: soonMs };
    const refused = this.refused(url);
    if (refused !== null && this.#oracle.events.get(eventId)?.subject === refused) return { status: 422, afterMs: soonMs };
    if (happens('receiver hangs', 0.1)) return { status: 500, afterMs: deadlineMs };
    if (happens('receiver late', 0.1))
      return { status: 200, afterMs: random.chance(0.5) ? deadlineMs : random.whole(200, 10_000) };
    if (happens('receiver cuts', 0.1)) return { status: 200, afterMs: soonMs, isCut: true };
    if (happens('receiver asks later', 0.1)) return { status: 429, afterMs: soonMs, retryAfter: this.#retryAfter(random) };
    if (happens('receiver gone', 0.005)) return { status: 410, afterMs: soonMs };
    if (happens('receiver fails', 0.2)) return { status: random.pick([500, 503, 404, 302]), afterMs: soonMs };
    return { status: 204, afterMs: soonMs };
  }
}

/** One-line mistakes in the delivery of webhooks. The simulator must find each: otherwise it proves nothing. */
export interface Planted {
  mistake: string;
  file: string;
  from: string;
  to: string;
}

const webhooks = (mistake: string, file: string, from: string, to: string): Planted => ({
  mistake,
  file: `gateway/webhooks/${file}`,
  from,
  to,
});

export const planted: readonly Planted[] = [
  webhooks('what was erased is sent again', 'outbox/owners.ts', "if (event.erased_by !== null) return 'erased';", ''),
  {
    mistake: 'an erasure does not wait for a fan-out, which goes by the content',
    file: 'gateway/erasures/step.ts',
    from: 'locked.findIndex(({ fanned_out_at }) => fanned_out_at === null)',
    to: '-1',
  },
  {
    mistake: 'an erasure does not wait for what is in flight',
    file: 'gateway/erasures/eraser.ts',
    from: 'const settleMs = admissionMs + longestAttemptMs(deadlineMs);',
    to: 'const settleMs = 0;',
  },
  webhooks('a receiver is charged for a proxy that fails', 'delivery/send.ts', 'if (exchange.proxyFailed) return undefined;', ''),
  webhooks(
    'a reader of events goes on after what a full page compared',
    'outbox/feed.ts',
    '(isFull ? wanted : candidates).at(-1)',
    'candidates.at(-1)',
  ),
  webhooks('a reader of events gets the last transaction again', 'outbox/feed.ts', 'id: { gt: id } }', 'id: { gte: id } }'),
  webhooks(
    'a late acknowledgement moves a consumer back',
    'outbox/consumers.ts',
    'isBehind && !rewind ? consumer.cursor : textOfCursor(asked)',
    'textOfCursor(asked)',
  ),
  webhooks(
    'an acknowledgement counts for what came after its page',
    'outbox/consumers.ts',
    'isBehind && !rewind ? consumer.cursor : textOfCursor(asked)',
    'textOfCursor(await endOfFeed(tx))',
  ),
  {
    mistake: 'the limit of attempts in flight is not enforced',
    file: 'gateway/queue/gate/memory.ts',
    from: 'if (!hasRoom(endpoint, entry, now)) return full(lookAgainMs);\n  const waitMs = waitFor(endpoint, entry, now);\n  return waitMs > maxWaitMs',
    to: 'const waitMs = waitFor(endpoint, entry, now);\n  return waitMs > maxWaitMs',
  },
  webhooks(
    'the lease ends before the attempt',
    'delivery/lease.ts',
    'return await attempt();',
    'await leave(lease);\n      return await attempt();',
  ),
  webhooks(
    'an attempt is not recorded while the store is away',
    'delivery/record.ts',
    'if (!(error instanceof StoreUnavailable)) throw error;',
    'throw error;',
  ),
  webhooks(
    'a failed delivery is given up',
    'delivery/record.ts',
    "retry: 'pending', dead: 'failed'",
    "retry: 'failed', dead: 'failed'",
  ),
  webhooks(
    'the last attempt is the one before the last',
    'delivery/retry.ts',
    'const scheduled = scheduleSeconds[attempt] ??',
    'const scheduled = scheduleSeconds[attempt + 1] ??',
  ),
  webhooks('a delivery that no process looks at stays where it is', 'upkeep/reconcile.ts', 'clock.now() - graceMs;', '0;'),
  webhooks(
    'the reconciler queues what the queue has, and not what it lost',
    'upkeep/reconcile.ts',
    'held?.mayHave(job)',
    '!held?.mayHave(job)',
  ),
  webhooks(
    'a lane begins with its last delivery',
    'delivery/lanes.ts',
    "order: [['event_id', 'asc']]",
    "order: [['event_id', 'desc']]",
  ),
  webhooks(
    'a suspended process sends an old event',
    'delivery/fence.ts',
    'this.#isClosed = !(await this.#isStillDue());',
    'this.#isClosed = false;',
  ),
  webhooks(
    'what died in an outage stays dead',
    'endpoints/health.ts',
    'isInOutage(state) ? { outage_over_at: endedAt } : {};',
    '{};',
  ),
  webhooks('what a pause skipped is sent by itself', 'endpoints/endpoints.ts', "'operator'), ...noOutage }", "'operator') }"),
  webhooks('a disabled endpoint is sent to', 'delivery/admit.ts', 'if (reason) return', 'if (false) return'),
  webhooks(
    'the sent body is not the stored one',
    'delivery/send.ts',
    'hooks?.body?.(event, atMs) ?? event.body;',
    'hooks?.body?.(event, atMs) ?? event.body + String(atMs);',
  ),
  webhooks(
    'a change forgets its second endpoint',
    'outbox/inline-fanout.ts',
    'return matching.map((endpoint)',
    'return matching.slice(0, 1).map((endpoint)',
  ),
  webhooks(
    'a success is not believed',
    'delivery/retry.ts',
    "if (outcome === 'success') return { kind: 'success' };",
    "if (outcome === 'success' && attempt > 1) return { kind: 'success' };",
  ),
  webhooks(
    'a stale job makes its attempt again',
    'model/jobs.ts',
    "return status === 'pending' && !parked && attempts === attempt - 1 && next_attempt_at === dueAt;",
    'return !parked;',
  ),
  webhooks(
    "what left its owner's perimeter is sent",
    'outbox/owners.ts',
    "return why ?? (isTest || sees(endpoint.visible, event.subject) ? null : 'not_visible');",
    'return why;',
  ),
  webhooks(
    'a change of an owner does not reach its subscriptions',
    'outbox/owners.ts',
    'after: { ...endpoint, visible } })',
    'after: endpoint })',
  ),
  webhooks(
    'a secret that was rotated out signs',
    'model/secrets.ts',
    'expires_at === null || expires_at > atMs',
    'expires_at === null || expires_at > 0',
  ),
  webhooks(
    'a private key that was rotated out signs',
    'delivery/send.ts',
    'inForce.map(({ id }) => keys.signingKey(id))',
    'endpoint.secrets.map(({ id }) => keys.signingKey(id))',
  ),
  webhooks('the newest secret signs the documented header', 'delivery/send.ts', 'documented: secret,', 'documented: secrets[0],'),
  webhooks(
    'a process that is closed goes on to reconcile',
    'upkeep/reconcile.ts',
    'this.#closed = true;\n    this.#cancel?.();',
    'this.#closed = true;',
  ),
  webhooks(
    'an ordered lane does not wait for an earlier event',
    'outbox/order.ts',
    "if (await awaitsFanOut(tx, endpoint, seen.event_id)) return 'waits';",
    '',
  ),
  webhooks(
    'an attempt beside another one is not counted',
    'delivery/record.ts',
    'attempts: before.attempts + 1,',
    'attempts: before.attempts,',
  ),
  webhooks(
    'an attempt whose record was not answered is recorded again',
    'delivery/record.ts',
    'if (!before || written.has(attempt.row.id)) return before;',
    'if (!before) return before;',
  ),
  webhooks(
    'a receiver may ask for years',
    'delivery/retry.ts',
    'Math.min(parseRetryAfter(retryAfter, nowMs) ?? 0, maxRetryAfterMs)',
    'parseRetryAfter(retryAfter, nowMs) ?? 0',
  ),
  webhooks('a skipped delivery stays in its lane', 'model/skip.ts', 'parked: false, ', ''),
  webhooks(
    'a change stores its events without their deliveries',
    'outbox/change.ts',
    "tx.append('events', events, { table: 'deliveries', rows: deliveries })",
    "tx.append('events', events)",
  ),
  webhooks(
    'an event says that it has one more delivery',
    'outbox/inline-fanout.ts',
    'markFannedOut(event, { matched: matching.length, filtered });',
    'markFannedOut(event, matching.length + 1);',
  ),
  webhooks(
    'the background fan-out does not say what it made',
    'outbox/fanout.ts',
    'matched: matched.get(event.id) ?? 0,',
    'matched: 0,',
  ),
  webhooks(
    'only the inline fan-out goes by filters',
    'outbox/fanout.ts',
    'const matching = thoseThatMatch(wanting, event.body);',
    'const matching = wanting;',
  ),
  webhooks(
    'the background fan-out does not count what filters spared',
    'outbox/fanout.ts',
    'filtered: (isRestarted(event) ? 0 : (event.filtered ?? 0)) + (filtered.get(event.id) ?? 0),',
    'filtered: 0,',
  ),
  webhooks(
    'stored credentials go to another host',
    'endpoints/endpoints.ts',
    'if (isElsewhere && before.credentials && input.credentials === undefined)',
    'if (isElsewhere && before.credentials && input.url === undefined)',
  ),
  webhooks('a request is sent without its credentials', 'delivery/send.ts', '...own?.headers, ', ''),
  webhooks(
    'a request is sent without its token',
    'delivery/send.ts',
    'if (isMissing) return { request,',
    'if (false) return { request,',
  ),
  webhooks(
    'a token server that fails counts against the receiver',
    'delivery/send.ts',
    "outcome === 'token' ? null : seen",
    'seen',
  ),
  webhooks(
    'a part of a delay is longer than the whole',
    'model/delays.ts',
    'Math.min(delays.ms[part] ?? 0, own)',
    'delays.ms[part] ?? 0',
  ),
  webhooks("a wait for a retry is the gateway's own", 'delivery/record.ts', '{ retryAtMs }),', '{ retryAtMs: null }),'),
  webhooks(
    'two processes ask for a token at once',
    'delivery/tokens.ts',
    'this.#parts.store.alone(',
    '(async (_name: string, work: () => Promise<void>) => work())(',
  ),
  webhooks(
    'an attempt records credentials',
    'delivery/send.ts',
    'request.own ? withoutValues(request.headers, request.own) : request.headers',
    'request.headers',
  ),
  webhooks(
    'a delivery changes as the model does not have it',
    'model/skip.ts',
    'next_attempt_at: null, updated_at: now',
    'next_attempt_at: null',
  ),
  {
    mistake: 'a process whose clock is an hour off goes on sending',
    file: 'gateway/base/clock.ts',
    from: '> toleratedSkewMs;',
    to: '> 120 * toleratedSkewMs;',
  },
  {
    mistake: 'the model lacks a transition',
    file: 'test/model/transitions.txt',
    from: 'absent -> skipped',
    to: 'absent -> failed',
  },
  {
    mistake: 'two attempts of a delivery begin',
    file: 'gateway/queue/gate/memory.ts',
    from: 'runningOf(endpoint, entry, now) ?? entering(',
    to: 'entering(',
  },
];

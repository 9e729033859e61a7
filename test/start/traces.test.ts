import { expect, test } from 'vitest';
import { newDataDir, startProcess } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller = '00f067aa0ba902b7';

interface OtlpSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
}

/** Starts a gateway with these settings, and an endpoint. Returns what sends it an event, and what arrived. */
async function gatewayWithEndpoint(environment: Record<string, string>, answer?: Parameters<typeof receiver>[0]) {
  const { url, received } = await receiver(answer);
  const gateway = await startProcess({
    DATA_DIR: newDataDir(),
    DEMO: 'off',
    WEBHOOK_LOOPBACK: 'on',
    LOG_LEVEL: 'error',
    ...environment,
  });
  const { token } = gateway.greeting.operator;
  const created = await gateway.call('POST', '/manage/v1/endpoints', { token, body: { service: 'pos', url } });
  const { id } = created.body.data;
  const sendEvent = async (headers: Record<string, string>) => {
    const reply = await fetch(`${gateway.greeting.url}/manage/v1/endpoints/${id}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ event_type: 'sale.completed' }),
    });
    expect(reply.status).toBe(201);
    return ((await reply.json()) as { data: { id: string; event_id: string } }).data;
  };
  return { gateway, token, received, sendEvent };
}

test('a call, its fan-out and its attempt are spans of the caller’s trace, and the webhook continues it', async () => {
  const collector = await receiver((response) => response.setHeader('content-type', 'application/json').end('{}'));
  const { gateway, received, sendEvent, token } = await gatewayWithEndpoint(
    { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin, OTEL_SERVICE_NAME: 'till-gateway' },
    (response) => response.writeHead(500).end(),
  );
  const { event_id } = await sendEvent({ traceparent: `00-${traceId}-${caller}-01` });
  await eventually(() => expect(received).toHaveLength(1));
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);

  const batches = collector.received.map(({ path, body }) => ({ path, body: JSON.parse(body) }));
  expect(new Set(batches.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  expect(JSON.stringify(batches[0])).toContain('till-gateway');
  expect(JSON.stringify(batches)).not.toContain(token);
  const spans: OtlpSpan[] = batches.flatMap(({ body }) =>
    body.resourceSpans.flatMap((resource: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  const ours = spans.filter((span) => span.traceId === traceId);
  const [call, attempt] = [2, 3].map((kind) => ours.find((span) => span.kind === kind));
  expect(call).toMatchObject({ name: 'POST /manage/v1/endpoints/:id/test', parentSpanId: caller });
  expect(attempt).toMatchObject({ name: 'POST sale.completed', parentSpanId: call?.spanId, status: { code: 2 } });
  expect(attempt?.attributes).toContainEqual({ key: 'passerelle.event.id', value: { stringValue: event_id } });
  expect(attempt?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 500 } });
  expect(received[0]?.headers.traceparent).toBe(`00-${traceId}-${attempt?.spanId}-01`);
});

test('without a collector, a valid traceparent is passed on, shown with the event, and none is invented', async () => {
  const { gateway, token, received, sendEvent } = await gatewayWithEndpoint({
    TRACE_PAGE: 'http://jaeger.test/trace/{trace_id}',
  });
  const traced = await sendEvent({ traceparent: `00-${traceId}-${caller}-01` });
  await eventually(() => expect(received).toHaveLength(1));
  const plain = await sendEvent({});
  await eventually(() => expect(received).toHaveLength(2));
  await sendEvent({ traceparent: 'nonsense' });
  await eventually(() => expect(received).toHaveLength(3));

  expect(received.map(({ headers }) => headers.traceparent)).toEqual([`00-${traceId}-${caller}-01`, undefined, undefined]);
  const eventOf = async ({ event_id }: { event_id: string }) =>
    (await gateway.call('GET', `/manage/v1/events/${event_id}`, { token })).body.data;
  expect(await eventOf(traced)).toMatchObject({ trace_id: traceId, trace_page: `http://jaeger.test/trace/${traceId}` });
  expect(await eventOf(plain)).toMatchObject({ trace_id: null, trace_page: null });
});

test('a collector that is away harms neither calls nor the stop', async () => {
  const { gateway, received, sendEvent } = await gatewayWithEndpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await sendEvent({});
  await eventually(() => expect(received).toHaveLength(1));
  expect(received[0]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

test('traces: a wrong setting is one line', async () => {
  await expect(startProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).rejects.toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT=collector:4318 cannot be used: must look like http:\/\/localhost:4318/,
  );
});

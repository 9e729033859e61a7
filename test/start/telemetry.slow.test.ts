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

interface OtlpLine extends Pick<OtlpSpan, 'traceId' | 'spanId' | 'attributes'> {
  body: { stringValue?: string };
  severityNumber: number;
  severityText: string;
}

interface OtlpMetric {
  name: string;
  sum?: { isMonotonic: boolean; aggregationTemporality: number; dataPoints: { asDouble: number }[] };
  gauge?: { dataPoints: unknown[] };
  histogram?: { dataPoints: { count: number; bucketCounts: number[]; explicitBounds: number[] }[] };
}

/** A collector of OpenTelemetry. `arrived` are the bodies that came to a path. */
async function collector(answer: Parameters<typeof receiver>[0] = (response) => response.end('{}')) {
  const { url, received } = await receiver(answer);
  const arrived = (path: string) => received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body));
  return { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(url).origin, arrived };
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
  const { OTEL_EXPORTER_OTLP_ENDPOINT, arrived } = await collector();
  const { gateway, received, sendEvent, token } = await gatewayWithEndpoint(
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME: 'till-gateway', LOG_LEVEL: 'info' },
    (response) => response.writeHead(500).end(),
  );
  const { event_id } = await sendEvent({ traceparent: `00-${traceId}-${caller}-01` });
  await eventually(() => expect(received).toHaveLength(1));
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);

  const batches = arrived('/v1/traces');
  expect(JSON.stringify(batches[0])).toContain('till-gateway');
  expect(JSON.stringify(batches)).not.toContain(token);
  const spans: OtlpSpan[] = batches.flatMap((body) =>
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

  const lines: OtlpLine[] = arrived('/v1/logs').flatMap((body) => body.resourceLogs[0].scopeLogs[0].logRecords);
  const [line] = lines.filter(({ body }) => body.stringValue === 'delivery.attempted');
  expect(line).toMatchObject({ severityNumber: 9, severityText: 'info', traceId, spanId: attempt?.spanId });
  expect(line?.attributes).toContainEqual({ key: 'eventId', value: { stringValue: event_id } });
  expect(JSON.stringify(lines)).not.toContain(token);
});

test('a collector gets the metrics of /metrics, with the same names and values', async () => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, arrived } = await collector();
  const { gateway, received, sendEvent } = await gatewayWithEndpoint({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=shop-floor',
  });
  await sendEvent({});
  await eventually(() => expect(received).toHaveLength(1));
  const shown = async () => (await fetch(`${gateway.greeting.url}/metrics`)).text();
  await eventually(async () => expect(await shown()).toContain('passerelle_deliveries_total{outcome="delivered"} 1'));
  const page = await shown();
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);

  const [last] = arrived('/v1/metrics').slice(-1);
  expect(JSON.stringify(last.resourceMetrics[0].resource)).toContain('shop-floor');
  const metrics: OtlpMetric[] = last.resourceMetrics[0].scopeMetrics.flatMap((scope: { metrics: OtlpMetric[] }) => scope.metrics);
  const names = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(metrics.map(({ name }) => name).sort()).toEqual(names.sort());
  const named = (wanted: string) => metrics.find(({ name }) => name === wanted);
  expect(named('passerelle_deliveries_total')?.sum).toMatchObject({
    isMonotonic: true,
    aggregationTemporality: 2,
    dataPoints: [{ attributes: [{ key: 'outcome', value: { stringValue: 'delivered' } }], asDouble: 1 }],
  });
  expect(named('process_open_fds')?.gauge?.dataPoints).toHaveLength(1);
  const [attempts] = named('passerelle_delivery_attempt_duration_seconds')?.histogram?.dataPoints ?? [];
  const buckets = [...page.matchAll(/^passerelle_delivery_attempt_duration_seconds_bucket\{le="([^"]+)".* (\d+)$/gm)];
  // The page counts in each bucket what is in the buckets before it too.
  const cumulative = buckets.map(([, , value]) => Number(value));
  const counts = cumulative.map((count, index) => count - (cumulative[index - 1] ?? 0));
  expect(attempts).toMatchObject({ count: 1, bucketCounts: counts });
  expect(attempts?.explicitBounds).toEqual(buckets.slice(0, -1).map(([, bound]) => Number(bound)));
});

test('a collector that takes traces only: the log says what it refuses', async () => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = await collector((response, { path }) =>
    response.writeHead(path === '/v1/traces' ? 200 : 404).end('{}'),
  );
  const { gateway, sendEvent } = await gatewayWithEndpoint({ OTEL_EXPORTER_OTLP_ENDPOINT, LOG_LEVEL: 'info' });
  await sendEvent({});
  await eventually(() => expect(gateway.output().stderr).toMatch(/"error":"[^"]*Not Found.*"msg":"telemetry.not_sent"/));
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

test('with an address for traces alone, nothing else is sent', async () => {
  const { url, received } = await receiver((response) => response.end('{}'));
  const quiet = await startProcess({
    DATA_DIR: newDataDir(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${new URL(url).origin}/traces`,
  });
  await fetch(`${quiet.greeting.url}/healthz`);
  quiet.child.kill('SIGTERM');
  expect(await quiet.exited).toBe(0);
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/traces']));
});

test('without a collector, a valid traceparent is passed on, shown with the event, and none is invented', async () => {
  const { gateway, token, received, sendEvent } = await gatewayWithEndpoint({});
  const traced = await sendEvent({ traceparent: `00-${traceId}-${caller}-01` });
  await eventually(() => expect(received).toHaveLength(1));
  const plain = await sendEvent({});
  await eventually(() => expect(received).toHaveLength(2));
  await sendEvent({ traceparent: 'nonsense' });
  await eventually(() => expect(received).toHaveLength(3));

  expect(received.map(({ headers }) => headers.traceparent)).toEqual([`00-${traceId}-${caller}-01`, undefined, undefined]);
  const eventOf = async ({ event_id }: { event_id: string }) =>
    (await gateway.call('GET', `/manage/v1/events/${event_id}`, { token })).body.data;
  expect(await eventOf(traced)).toMatchObject({ trace_id: traceId });
  expect(await eventOf(plain)).toMatchObject({ trace_id: null });
});

test('a collector that is away harms neither calls nor the stop', async () => {
  const { gateway, received, sendEvent } = await gatewayWithEndpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await sendEvent({});
  await eventually(() => expect(received).toHaveLength(1));
  expect(received[0]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

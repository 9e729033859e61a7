import { setTimeout as delay } from 'node:timers/promises';
import { type Context, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { newId } from '../base/ids.ts';
import type { SpanKind as Kind, Span, SpanStart, Tracing } from '../base/tracing.ts';
import type { Settings } from './config.ts';

/** How long a stop waits for the collector. */
const lastExportMs = 3000;

const kinds: Record<Kind, SpanKind> = { call: SpanKind.SERVER, fanout: SpanKind.INTERNAL, attempt: SpanKind.CLIENT };

/**
 * Spans for an OpenTelemetry collector, over OTLP as JSON. The exporter itself reads OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS,
 * _TIMEOUT, _COMPRESSION and _CERTIFICATE. A caller's decision not to sample its trace is respected. While the collector is
 * away, at most 2,048 spans wait; more are dropped.
 */
export function openTelemetry(settings: Pick<Settings, 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'>): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME,
      'service.instance.id': newId('process'),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('passerelle');
  return {
    begin(kind: Kind, { name, parent, attributes = {} }: SpanStart): Span {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end(result) {
          const { name: lastName, attributes: last, error } = result();
          if (lastName !== undefined) span.updateName(lastName);
          if (last) span.setAttributes(last);
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
          span.end();
        },
      };
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), delay(lastExportMs)]),
  };
}

function contextOf(traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

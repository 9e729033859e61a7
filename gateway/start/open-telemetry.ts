import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import pino from 'pino';
import type { Registry } from 'prom-client';
import { newId } from '../base/ids.ts';
import { errorsSeldom, type LineStream, type Logger } from '../base/log.ts';
import { currentTrace, type SpanKind as Kind, type Span, type SpanStart, type Tracing } from '../base/tracing.ts';
import { readMetrics } from './open-telemetry-metrics.ts';

/** How long a stop waits for the collector. */
const lastExportMs = 3000;

const kinds: Record<Kind, SpanKind> = { call: SpanKind.SERVER, fanout: SpanKind.INTERNAL, attempt: SpanKind.CLIENT };

/** What a process sends to an OpenTelemetry collector. */
export interface Telemetry {
  tracing: Tracing;
  /** Sends each line of the log, with the trace of the call or attempt that wrote it. */
  lines?: LineStream;
  /** Sends these metrics from now on, and logs what the collector refuses. */
  start?(metrics: Registry, log: Logger): void;
  /** Sends what waits. Never rejects. */
  close(): Promise<void>;
}

/**
 * Traces, metrics and logs for an OpenTelemetry collector, over OTLP as JSON. The exporters themselves read
 * OTEL_EXPORTER_OTLP_ENDPOINT, _TRACES_ENDPOINT, _HEADERS, _TIMEOUT, _COMPRESSION and _CERTIFICATE, and the resource
 * OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES. While the collector is away, at most 2,048 spans and as many lines of the log wait; more are dropped.
 */
export function openTelemetry({ tracesOnly }: { tracesOnly: boolean }): Telemetry {
  const named = { 'service.name': 'passerelle', 'service.instance.id': newId('process') };
  const resource = resourceFromAttributes(named).merge(detectResources({ detectors: [envDetector] }));
  const traces = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const logs = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
  });
  const opened: { shutdown(): Promise<void> }[] = [traces, logs];
  return {
    tracing: tracingOf(traces),
    ...(!tracesOnly && { lines: linesOf(logs) }),
    start(metrics, log) {
      const failed = errorsSeldom(log);
      setGlobalErrorHandler((error) => failed(error, 'telemetry.not_sent'));
      if (tracesOnly) return;
      const reader = new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        metricProducers: [{ collect: () => readMetrics(metrics, resource) }],
      });
      opened.push(new MeterProvider({ resource, readers: [reader] }));
    },
    close: async () => {
      const sent = Promise.allSettled(opened.map((provider) => provider.shutdown()));
      await Promise.race([sent, delay(lastExportMs)]);
    },
  };
}

/** A caller's decision not to sample its trace is respected. */
function tracingOf(provider: TracerProvider): Tracing {
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
  };
}

function linesOf(provider: LoggerProvider): LineStream {
  const logger = provider.getLogger('passerelle');
  return {
    write(line) {
      const { level, time, msg, ...attributes } = JSON.parse(line) as { level: number; time: string; msg?: string } & Attributes;
      logger.emit({
        timestamp: Date.parse(time),
        // pino's levels are 10 (trace), 20, ... 60 (fatal), OpenTelemetry's 1 (trace), 5, ... 21 (fatal).
        severityNumber: (level / 10) * 4 - 3,
        severityText: pino.levels.labels[level],
        body: msg,
        attributes,
        context: contextOf(currentTrace()),
      });
    },
  };
}

function contextOf(traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

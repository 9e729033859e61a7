import { noTracing, type Tracing } from '../../base/tracing.ts';
import type { Row } from '../../store/tables/index.ts';

/** Begins a span for the fan-out of each event. Returns the function that ends the spans once the deliveries exist. */
export function traceFanout(
  tracing: Tracing,
  events: readonly Row<'events'>[],
): (deliveries: readonly { event_id: string }[]) => void {
  if (tracing === noTracing) return () => {};
  const spans = events.map(({ id, type, traceparent }) => ({
    id,
    attributes: { 'passerelle.event.id': id, 'passerelle.event.type': type },
    span: tracing.begin('fanout', { name: `fan out ${type}`, parent: traceparent }),
  }));
  return (deliveries) => {
    for (const { id, attributes, span } of spans) {
      const count = deliveries.filter(({ event_id }) => event_id === id).length;
      span.end(() => ({ attributes: { ...attributes, 'passerelle.deliveries': count } }));
    }
  };
}

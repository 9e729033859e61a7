import { leftOutOf } from '../contracts/tools/recording/pact.ts';
import { exchangeOf, type Recording } from '../contracts/tools/recording/recorded.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { RecordedCall } from '../stubs/journal/call.ts';
import type { Stub } from '../stubs/types.ts';

/**
 * Begins to record what a stub receives. A reset of the stub between two tests does not clear the recording. A real provider would not
 * answer as a fault of the stub does, so such calls are left out.
 */
export function recordStub(stub: Stub<ServiceName>): { end(): Promise<Recording> } {
  const received: RecordedCall[] = [];
  const unsubscribe = stub.subscribe((event) => {
    if (event.kind === 'call') received.push(event.call);
  });
  return {
    async end() {
      unsubscribe();
      const deliveries = (await stub.deliveries()).map(({ event_type: event, status }) => {
        return { event, accepted: status === 'delivered' };
      });
      const read = (call: RecordedCall) => exchangeOf(stub.api, call);
      const exchanges = received.filter(({ fault }) => fault === undefined).map(read);
      const faulted = received.filter(({ fault }) => fault !== undefined).map(read);
      const leftOut = faulted.map((exchange) => leftOutOf(exchange, 'a fault of the stub answered it'));
      return { service: stub.api, exchanges, deliveries, leftOut };
    },
  };
}

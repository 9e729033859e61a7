import type { RecordedCall, Recording } from '../contracts/tools/recording/recorded.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { RecordedCall as ReceivedCall } from '../stubs/journal/call.ts';
import type { Stub } from '../stubs/types.ts';

export interface StubRecording {
  recording: Recording;
  /** Calls that a fault of the stub answered. A real provider would not answer them in this way. */
  faulted: RecordedCall[];
}

/** Begins to record what a stub receives. A reset of the stub between two tests does not clear the recording. */
export function recordStub(stub: Stub<ServiceName>): { end(): Promise<StubRecording> } {
  const received: ReceivedCall[] = [];
  const unsubscribe = stub.subscribe((event) => {
    if (event.kind === 'call') received.push(event.call);
  });
  return {
    async end() {
      unsubscribe();
      const deliveries = (await stub.deliveries()).map(({ event_type, body, status }) => ({
        eventType: event_type,
        body: body ?? '',
        accepted: status === 'delivered',
      }));
      const isFaulted = ({ fault }: ReceivedCall) => fault !== undefined;
      const calls = received.filter((call) => !isFaulted(call)).map(recordedOf);
      return { recording: { service: stub.api, calls, deliveries }, faulted: received.filter(isFaulted).map(recordedOf) };
    },
  };
}

const recordedOf = ({
  method,
  url,
  requestHeaders,
  requestBody,
  status,
  responseHeaders,
  responseBody,
  at,
}: ReceivedCall): RecordedCall => ({
  method,
  url,
  requestBody,
  status,
  responseBody,
  requestHeaders: lowerCase(requestHeaders),
  responseHeaders: lowerCase(responseHeaders),
  at: Date.parse(at),
});

function lowerCase(headers: ReceivedCall['requestHeaders']): Record<string, string> {
  const kept = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}

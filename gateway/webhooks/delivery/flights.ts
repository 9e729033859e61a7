/** An endpoint that answers within this gives room again soon: a job that finds it full waits that long before it is parked. */
const patienceMs = 100;

interface Flights {
  /** When each attempt under way began. */
  begun: Map<string, number>;
  waiting: Set<() => void>;
}

/** The attempts that this process makes at each endpoint. Real time: it is about sockets. */
export class InFlight {
  readonly #endpoints = new Map<string, Flights>();

  begin(endpointId: string, deliveryId: string): void {
    const flights = this.#endpoints.get(endpointId) ?? { begun: new Map(), waiting: new Set() };
    this.#endpoints.set(endpointId, flights);
    flights.begun.set(deliveryId, performance.now());
  }

  end(endpointId: string, deliveryId: string): void {
    const flights = this.#endpoints.get(endpointId);
    if (!flights) return;
    flights.begun.delete(deliveryId);
    for (const wake of flights.waiting) wake();
    if (flights.begun.size === 0 && flights.waiting.size === 0) this.#endpoints.delete(endpointId);
  }

  /** True when an attempt at it ends soon; false at once where one has lasted long, or where none is under way here. */
  async roomSoon(endpointId: string): Promise<boolean> {
    const flights = this.#endpoints.get(endpointId);
    const oldest = flights?.begun.values().next().value;
    if (!flights || oldest === undefined) return false;
    const leftMs = oldest + patienceMs - performance.now();
    if (leftMs <= 0) return false;
    return new Promise((resolve) => {
      const settle = (room: boolean) => {
        clearTimeout(timer);
        flights.waiting.delete(wake);
        resolve(room);
      };
      const wake = () => settle(true);
      const timer = setTimeout(() => settle(false), leftMs);
      flights.waiting.add(wake);
    });
  }
}

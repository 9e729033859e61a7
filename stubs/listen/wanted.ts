import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';

interface EventType {
  type: string;
  service: string;
}

/** Partners do not receive the gateway's own notices. */
const own = 'operator';

/** Returns the endpoints needed for these events, one for each service. Throws `CouldNotRun` for unknown names. */
export function wantedServices(
  types: readonly EventType[],
  { events, services }: { events?: readonly string[] | undefined; services?: readonly string[] | undefined },
): { service: string; events: string[] | null }[] {
  const offered = [...new Set(types.map(({ service }) => service))].filter((service) => service !== own);
  for (const service of services ?? []) {
    if (!offered.includes(service))
      throw new CouldNotRun(`The gateway has no service "${service}". Its services: ${offered.join(', ')}.`);
  }
  const asked = services ?? offered;
  if (events === undefined) return asked.map((service) => ({ service, events: null }));
  const within = types.filter(({ service }) => asked.includes(service));
  for (const event of events) if (!within.some(({ type }) => type === event)) throw unknownEvent(event, within);
  const chosen = within.filter(({ type }) => events.includes(type));
  return [...Map.groupBy(chosen, ({ service }) => service)].map(([service, of]) => ({
    service,
    events: of.map(({ type }) => type),
  }));
}

/** The error for an event type that there is not. It names the nearest one. */
export function unknownEvent(event: string, types: readonly EventType[]): CouldNotRun {
  const names = types.map(({ type }) => type);
  return new CouldNotRun(`There is no event "${event}". ${didYouMean(event, names)}The events: ${names.join(', ')}.`);
}

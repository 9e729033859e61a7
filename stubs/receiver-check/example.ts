import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { nearestOf } from '../../gateway/base/nearest.ts';
import type { Context } from './check.ts';

/** Returns the catalogue's example of an event. Rejects with a `CouldNotRun` that names the nearest event. */
export async function exampleEvent(type: string): Promise<Context['event']> {
  const [{ posEvents }, { cohesionEvents }] = await Promise.all([
    import('../../gateway/api/pos/events.ts'),
    import('../../gateway/api/cohesion/events.ts'),
  ]);
  const examples = new Map<string, unknown>([...posEvents, ...cohesionEvents].map(({ type: name, example }) => [name, example]));
  const known = [...examples.keys()];
  if (!examples.has(type)) {
    throw new CouldNotRun(
      `"${type}" is not an event. Did you mean ${nearestOf(type, known)}? The events are ${known.join(', ')}. An event of your own is JSON such as {"event": "order.shipped", "data": {}}.`,
    );
  }
  return { type, data: inAscii(examples.get(type)) };
}

/** ASCII only, so that a receiver with the wrong encoding fails the check `non_ascii` and no other. */
const inAscii = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify(data)
      .normalize('NFD')
      .replaceAll(/[^\x20-\x7e]/g, ''),
  );

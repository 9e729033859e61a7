import { z } from 'zod';
import type { Reference, Webhook } from '../reference.ts';

/** A provider state in a pact: its name and parameters. */
export interface ProviderState {
  name: string;
  params: Record<string, unknown>;
}

/** The context that the states of one interaction share. Each state adds its returned values for later states. */
export interface World {
  reference: Reference;
  values: Record<string, unknown>;
  /** The webhook that an event's state caused. */
  webhook?: Webhook;
}

/** A provider state, which a pact names under `given`, and how to set it up through the manage API and real calls. */
export interface State {
  name: string;
  /** The accepted parameters; others are rejected. */
  params: z.ZodType<object>;
  /** Names of the returned values, for `fromProviderState` in requests. */
  returns: readonly string[];
  /** The event whose webhook the interaction checks. */
  event?: string;
  setUp(world: World, params: object): Promise<Record<string, unknown>>;
}

/** Declares a state. `setUp` gets the parsed parameters. */
export function state<S extends z.ZodRawShape>(
  name: string,
  shape: S,
  returns: readonly string[],
  setUp: (world: World, params: z.output<z.ZodObject<S>>) => Promise<Record<string, unknown>>,
): State {
  return { name, params: z.strictObject(shape), returns, setUp: setUp as State['setUp'] };
}

/** Declares an event's state. `prepare` returns the change that causes the event. */
export function eventState(name: string, event: string, change: (world: World) => Promise<() => Promise<unknown>>): State {
  const setUp = async (world: World) => {
    world.webhook = await world.reference.webhookOf(event, await change(world));
    return {};
  };
  return { ...state(name, {}, [], setUp), event };
}

import { z } from 'zod';
import type { Reference, Webhook } from '../reference.ts';

/** A provider state as a pact names it. */
export interface ProviderState {
  name: string;
  params: Record<string, unknown>;
}

/** What the states of one interaction share: each adds what it returns, later ones use it. */
export interface World {
  reference: Reference;
  values: Record<string, unknown>;
  /** The webhook that a state of an event led to. */
  webhook?: Webhook;
}

/** A provider state: what a pact says under `given`, and how it becomes true through the manage API and real calls. */
export interface State {
  name: string;
  /** What it takes, by name; anything else is refused. */
  params: z.ZodType<object>;
  /** What it returns, for `fromProviderState` in requests. */
  returns: readonly string[];
  /** The event whose webhook is what the interaction is about. */
  event?: string;
  setUp(world: World, params: object): Promise<Record<string, unknown>>;
}

/** Declares a state; `setUp` gets its parameters parsed. */
export function state<S extends z.ZodRawShape>(
  name: string,
  shape: S,
  returns: readonly string[],
  setUp: (world: World, params: z.output<z.ZodObject<S>>) => Promise<Record<string, unknown>>,
): State {
  return { name, params: z.strictObject(shape), returns, setUp: setUp as State['setUp'] };
}

/** Declares the state of an event: `change` is what makes the event happen. */
export function eventState(name: string, event: string, change: (world: World) => Promise<() => Promise<unknown>>): State {
  const setUp = async (world: World) => {
    world.webhook = await world.reference.webhookOf(event, await change(world));
    return {};
  };
  return { ...state(name, {}, [], setUp), event };
}

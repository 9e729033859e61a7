import { z } from 'zod';
import type { Reference, SignedWebhook } from '../reference.ts';
import type { ChangeParts } from './changes/change.ts';

export interface ProviderState {
  name: string;
  params: Record<string, unknown>;
}

/** The context that the states of one interaction share. Each state adds its returned values for later states. */
export interface World {
  reference: Reference;
  values: Record<string, unknown>;
  /** The webhook that an event's state caused. */
  webhook?: SignedWebhook;
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
export const state = <S extends z.ZodRawShape>(
  name: string,
  shape: S,
  returns: readonly string[],
  setUp: (world: World, params: z.output<z.ZodObject<S>>) => Promise<Record<string, unknown>>,
  about: Pick<State, 'event'> = {},
): State => ({ name, params: z.strictObject(shape), returns, setUp: setUp as State['setUp'], ...about });

/** Declares the state in which no record has the id that a pact may name. */
export const absence = (name: string, id: string, schema: z.ZodType): State =>
  state(name, { [id]: schema.optional() }, [id], async (_, params) => params);

/** Makes a partner that may see everything. */
interface Partner {
  /** The API's word for a partner. The parameter `owner` takes it. */
  word: 'account' | 'user';
  /** Returns its name as the owner of an endpoint. */
  open(world: World): Promise<string>;
}

/** Returns the record to change, if the change should not choose it. */
type Prepare = (world: World, texts: Record<string, string | undefined>) => Promise<string | undefined>;

/**
 * Returns what declares an event's state: its name, the event, what prepares the change that causes it, and parameters that are
 * texts. With the parameter `owner`, the webhook comes from an endpoint of a partner.
 */
export function eventStates({ word, open }: Partner, parts: ChangeParts = {}) {
  const ownerShape = z.enum(['operator', word]).default('operator');
  return (name: string, event: string, prepare: Prepare, texts: readonly string[] = []): State => {
    const shape = Object.fromEntries(texts.map((text) => [text, z.string().min(1).optional()]));
    const setUp = async (world: World, { owner, ...given }: Record<string, string | undefined>) => {
      const on = await prepare(world, given);
      const endpoint = owner === word ? { owner: await open(world) } : {};
      const { cause, webhookOf } = world.reference;
      world.webhook = await webhookOf(event, () => cause(event, on, parts), endpoint);
      return {};
    };
    return state(name, { ...shape, owner: ownerShape }, [], setUp, { event });
  };
}

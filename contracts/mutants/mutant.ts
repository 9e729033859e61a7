import { type Behaviour, behaviourNamed, behaviours } from '../documents/behaviours.ts';
import { type ServiceName, services } from '../documents/services.ts';
import type { GapAlternative } from '../gaps/gap.ts';
import { findGap, type GapId } from '../gaps/gaps.ts';

/** A change after which the service no longer does what it promises. A stub plays it as it plays an alternative: `--assume pos/report-start=ignored`. */
export interface Mutant extends Pick<GapAlternative, 'id' | 'text'>, Required<Pick<GapAlternative, 'is'>> {
  /** The test that notices it, as a sentence. */
  test: string;
  /** True if it answers the whole call, so that other mutants do not show beside it. */
  hidesOthers?: true;
}

/** A behaviour, and the mutants that take it away: the one that is hardest to notice first. */
export interface Mutated {
  /** The id of a documented behaviour; or, of a choice of ours, an id in the same form. */
  id: string;
  api: ServiceName;
  /** Further behaviours that the same mutants take away. */
  also: readonly string[];
  /** The operations (`GET /api/v1/me`) and events that show it. */
  on: readonly string[];
  /** The document's words, with the section. Of a choice, those of the gap register. */
  document: string;
  /** True if a document promises it. */
  isDocumented: boolean;
  alternatives: readonly Mutant[];
}

/** `also`: without the API. */
export function takesAway(id: string, alternatives: readonly Mutant[], also: readonly string[] = []): Mutated {
  const { document: api, section, says, on } = behaviourNamed(id) as Behaviour;
  return {
    id,
    api,
    also: also.map((one) => `${api}/${one}`),
    on,
    document: `${services[api].documentTitle}, ${section}: "${says}"`,
    isDocumented: true,
    alternatives,
  };
}

/** A choice of ours which no alternative of the register contradicts that a client could be ready for. */
export function takesChoiceAway(id: string, gap: GapId, on: readonly string[], alternatives: readonly Mutant[]): Mutated {
  const { api, section = '', quote, choice } = findGap(gap) as NonNullable<ReturnType<typeof findGap>>;
  const says = quote === '' ? 'says nothing' : `"${quote}"`;
  const document = `${services[api].documentTitle}, ${section}: ${says} (gap ${gap}: ${choice})`;
  return { id, api, also: [], on, document, isDocumented: false, alternatives };
}

/** The documented behaviours of an API whose fields are in replies or webhooks. */
export const withField = (api: ServiceName) =>
  behaviours[api].filter((one): one is Behaviour & { field: string } => one.field !== undefined);

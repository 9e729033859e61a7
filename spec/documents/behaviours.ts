import type { Behaviour } from './behaviour.ts';
import { cohesionBehaviours } from './cohesion-behaviours.ts';
import { type DocumentedLine, documented } from './documented.ts';
import { posBehaviours } from './pos-behaviours.ts';
import type { ServiceName } from './services.ts';

export type { Behaviour } from './behaviour.ts';

/** The behaviours that each document promises. */
export const behaviours: Readonly<Record<ServiceName, readonly Behaviour[]>> = {
  pos: posBehaviours,
  cohesion: cohesionBehaviours,
};

const byId = new Map(Object.values(behaviours).flatMap((all) => all.map((one) => [one.id, one])));

export const behaviourNamed = (id: string): Behaviour | undefined => byId.get(id);

/** Returns the lines that a behaviour quotes: exactly one, which a test checks. */
export function linesQuoted({ document, section, part, says }: Behaviour): DocumentedLine[] {
  const inPlace = documented[document].filter((line) => line.section === section && (part === undefined || line.part === part));
  const beginning = inPlace.filter((line) => `${line.says} |`.startsWith(says));
  return beginning.length > 0 ? beginning : inPlace.filter((line) => `${line.says} |`.includes(says));
}

/**
 * Lines that promise nothing that other lines do not say too, or nothing about the service, by their beginning. Lines that say
 * "not shown" are answered in the gap register.
 */
export const linesWithoutBehaviour: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
  pos: {
    '- It lets external systems': 'what the service is for',
    '- Operations: obtain': 'the rows of section 4',
    '- The service also sends webhook notifications': 'the rows of section 6',
    '1. A client obtains a token': 'the row of POST /api/auth in section 4',
    '2. The response carries token': 'the token response of section 2',
    'The service sends webhook notifications': 'the rows below it',
    '- The API is version 1.0': 'the base address of section 1',
  },
  cohesion: {
    '- Read access covers': 'the rows and rules of section 4',
    '- Each token carries': 'the abilities of section 4',
    '- Outgoing webhooks push': 'the events and the signature of section 6',
    'Named states:': 'the statuses of section 2',
    'Rules:': 'a heading',
    '1. A personal access token is created': 'a page of the service, which is no part of the API',
    '3. Abilities of a token:': 'a heading',
    'read:indicators |': 'the abilities of section 4',
    'read:interventions |': 'the abilities of section 4',
    'read:structures |': 'the abilities of section 4',
    'read:stats |': 'the abilities of section 4',
    'write:financements |': 'the abilities of section 4',
    'The service pushes events to HTTPS endpoints': 'the rows below it',
    '2. The receiver recomputes the value': 'what a receiver does',
    'Gaps:': 'a heading',
    '- The API is v1': 'the paths of section 1',
  },
};

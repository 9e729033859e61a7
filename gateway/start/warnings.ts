import { nearOf } from '../base/nearest.ts';
import { toInstant } from '../http/fields.ts';
import { isPlainBeyondThisMachine, type Settings, settings } from './config.ts';

/** The greatest distance between the names of a variable and a setting at which the variable counts as misspelt. */
const misspelt = 0.2;

/** Returns what is dangerous, misspelt or out of date about settings that are allowed. */
export function startWarnings(read: Settings, environment: NodeJS.ProcessEnv, nowMs: number): string[] {
  return [...misspeltNames(environment), ...endedAddresses(read, nowMs)];
}

/** Returns the warning about demo data that others can read on the way. */
export function warnOfDemo(read: Settings): string[] {
  if (read.DEMO !== 'on' || !isPlainBeyondThisMachine(read)) return [];
  return [
    `The demo accounts are served on HOST=${read.HOST} over plain http: whoever can read the network gets their credentials. Set DEMO=off, or TLS_CERT and TLS_KEY.`,
  ];
}

/** The values may be secrets, and are not shown. OpenTelemetry has variables of its own that are similar to ours. */
function misspeltNames(environment: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(settings);
  const others = Object.keys(environment).filter((name) => !known.includes(name) && !name.startsWith('OTEL_'));
  return others.flatMap((name) => {
    const nearest = nearOf(name, known, misspelt);
    return nearest === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${nearest}?`];
  });
}

const endedAddresses = ({ WEBHOOK_SOURCE_ADDRESSES: sources }: Settings, nowMs: number): string[] =>
  sources.flatMap(({ address, valid_until }) =>
    valid_until === null || valid_until > nowMs
      ? []
      : [
          `WEBHOOK_SOURCE_ADDRESSES lists ${address}, which ended on ${toInstant(valid_until).slice(0, 10)}. Remove it, or its end if webhooks still come from it.`,
        ],
  );

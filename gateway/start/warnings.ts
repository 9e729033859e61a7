import { nearOf } from '../base/nearest.ts';
import { isPlainBeyondThisMachine, type Settings, settings } from './config.ts';

/** The greatest distance between the names of a variable and a setting at which the variable counts as misspelt. */
const misspelt = 0.2;

/** Returns the warning about demo data that others can read on the way. */
export function warnOfDemo(read: Settings): string[] {
  if (read.DEMO !== 'on' || !isPlainBeyondThisMachine(read)) return [];
  return [
    `The demo accounts are served on HOST=${read.HOST} over plain http: whoever can read the network gets their credentials. Set DEMO=off, or TLS_CERT and TLS_KEY.`,
  ];
}

/**
 * Warns of variables that are no settings, but almost. The values may be secrets, and are not shown. OpenTelemetry has variables of
 * its own that are similar to ours.
 */
export function startWarnings(environment: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(settings);
  const others = Object.keys(environment).filter((name) => !known.includes(name) && !name.startsWith('OTEL_'));
  return others.flatMap((name) => {
    const nearest = nearOf(name, known, misspelt);
    return nearest === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${nearest}?`];
  });
}

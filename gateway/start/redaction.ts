import { Redaction } from '../base/redact.ts';
import type { Settings } from './config.ts';

type RedactionSettings = Pick<Settings, 'RECORD_SECRET_NAMES' | 'RECORD_MASKED_NAMES'>;

/** Its cache of names takes 64 kB, which all stubs of a process share. */
const known = new WeakMap<RedactionSettings, Redaction>();

/** What the settings remove from records. */
export function redactionOf(settings: RedactionSettings): Redaction {
  const redaction =
    known.get(settings) ?? new Redaction({ secret: settings.RECORD_SECRET_NAMES, masked: settings.RECORD_MASKED_NAMES });
  known.set(settings, redaction);
  return redaction;
}

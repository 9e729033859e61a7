import { Redaction } from '../base/redact.ts';
import type { Settings } from './config.ts';

/** What the settings remove from records. */
export const redactionOf = (settings: Pick<Settings, 'RECORD_SECRET_NAMES' | 'RECORD_MASKED_NAMES'>): Redaction =>
  new Redaction({ secret: settings.RECORD_SECRET_NAMES, masked: settings.RECORD_MASKED_NAMES });

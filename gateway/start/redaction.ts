import { Redaction } from '../base/redact.ts';
import type { Settings } from './config.ts';

/** The names of telephone numbers. */
const masked = ['phone', 'msisdn'];

/** What a gateway removes from records. */
export const redactionOf = ({ RECORD_SECRET_NAMES: secret }: Settings): Redaction => new Redaction({ secret, masked });

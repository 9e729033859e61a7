import type { MistakeId } from './mistakes.ts';

/** Signs of a mistake in a body, for signatures that prove none. */
const ofBody: readonly { id: MistakeId; when(text: string): boolean }[] = [
  { id: 'body_empty', when: (text) => text.trim() === '' },
  { id: 'body_object', when: (text) => text.trim() === '[object Object]' },
  { id: 'body_replaced', when: (text) => text.includes('\ufffd') },
  { id: 'body_data_only', when: looksLikeData },
  { id: 'body_looks_rewritten', when: looksRewritten },
];

/** Returns true for an object without the envelope's fields. */
function looksLikeData(text: string): boolean {
  const parsed = parsedOrNull(text);
  return parsed !== null && typeof parsed === 'object' && !('event' in parsed) && !('data' in parsed);
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns true if the body has the sender's form: JSON.stringify of event, delivered_at and data, in this order. */
function looksRewritten(text: string): boolean {
  const parsed = parsedOrNull(text);
  if (parsed === null || typeof parsed !== 'object') return false;
  const envelope = Object.keys(parsed).filter((key) => ['event', 'delivered_at', 'data'].includes(key));
  const moved = envelope.length === 3 && envelope.join() !== 'event,delivered_at,data';
  return moved || text !== JSON.stringify(parsed);
}

const ownSecret = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Returns likely mistakes if none is proved, the likeliest first. */
export function suspicionsOf(body: Buffer, secrets: readonly string[]): MistakeId[] {
  const text = body.toString('utf8');
  const bodies = ofBody.filter(({ when }) => when(text)).map(({ id }) => id);
  return [...bodies, ...(secrets.every((secret) => !ownSecret.test(secret)) ? ['secret_looks_cut' as const] : [])];
}

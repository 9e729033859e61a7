import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';

/**
 * Verifies a request with the published library, at the time at which it was signed: the library compares that with the machine's
 * clock. Returns the payload.
 */
export function verifyAsPublished(secret: string, body: string, headers: Readonly<Record<string, unknown>>): unknown {
  vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000);
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

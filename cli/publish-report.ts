import { jsonReport } from '../contracts/tools/verification/reports/json.ts';
import type { Verification } from '../contracts/tools/verification/result.ts';

const deadlineMs = 15_000;

export interface Publication {
  /** The address of a gateway. */
  to: string;
  /** Its operator's token. */
  token: string;
}

/** Sends the report to a gateway, whose console shows it. Why it could not, as a line; null where it is kept there. */
export async function publishReport(verifications: readonly Verification[], { to, token }: Publication): Promise<string | null> {
  try {
    const reply = await fetch(`${to.replace(/\/$/, '')}/manage/v1/verifications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: jsonReport(verifications),
      signal: AbortSignal.timeout(deadlineMs),
      redirect: 'error',
    });
    if (reply.status === 201) return null;
    const answer = (await reply.json().catch(() => ({}))) as { error?: { message?: string } };
    return `The report was not published to ${to}: ${answer.error?.message ?? `it answered ${reply.status}, so it is no gateway of Passerelle.`}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `The report was not published to ${to}: ${cause instanceof Error ? cause.message : message}.`;
  }
}

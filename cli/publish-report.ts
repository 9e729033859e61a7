import { jsonReport } from '../contracts/tools/verification/reports/json.ts';
import type { Verification } from '../contracts/tools/verification/result.ts';

const deadlineMs = 15_000;

export interface Publication {
  /** The gateway's URL. */
  to: string;
  /** The operator's token of the gateway. */
  token: string;
}

/** Sends the report to a gateway, for its console. Returns null on success, otherwise a line with the reason. */
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
    return `The report was not published to ${to}: ${answer.error?.message ?? `it answered ${reply.status}, so it is not a Passerelle gateway.`}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `The report was not published to ${to}: ${cause instanceof Error ? cause.message : message}.`;
  }
}

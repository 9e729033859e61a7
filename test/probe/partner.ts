import type { ProbeRun } from '../../index.ts';
import { aSale, call, signIn } from '../stubs/partner.ts';

/** The stub of a run, as a partner finds it in the environment. */
export const posOf = ({ env }: ProbeRun) => ({
  url: env.PASSERELLE_POS_URL ?? '',
  credentials: { apiKey: env.PASSERELLE_POS_API_KEY ?? '', apiSecret: env.PASSERELLE_POS_API_SECRET ?? '' },
});

/** Sells for cash, as a till does that gets a token first. */
export async function sell(context: ProbeRun) {
  const pos = posOf(context);
  return call(pos, 'POST', '/api/v1/sales', { token: await signIn(pos), body: aSale(1) });
}

import { titleOfReason } from '../../lib/reasons.ts';
import { type Cause, failureWords, useWhy } from '../../lib/why.ts';
import { text } from '../../texts/shared.ts';
import { HttpStatus } from '../status.tsx';
import { NextTry } from '../time.tsx';
import { TwoLines } from '../two-lines.tsx';
import { nextAttemptAt } from './delivery.ts';

interface Listed {
  reason: string | null;
  response_status: number | null;
  next_attempt_at: string | null;
  waits_for: 'time' | 'turn' | null;
  cause: Cause | null;
}

/** What came of a delivery so far, and when it is attempted next. The tooltip says why in a sentence. */
export function Result({ of }: { of: Listed }) {
  const why = useWhy();
  const [next, came] = [nextAttempt(of), soFar(of)];
  return <TwoLines main={came ?? next} more={came && next} title={of.cause ? why(of.cause) : undefined} />;
}

const states: Readonly<Record<string, string>> = text.parts.endpointState;

/** What came of it, or what state of its endpoint it waits for. */
export function soFar({ reason, response_status, waits_for, cause }: Listed) {
  const state = stateOf(cause);
  // What waits for its endpoint says why, whatever its own last attempt was.
  if (waits_for === 'turn' && state) return state;
  if (reason !== null) return titleOfReason(reason, response_status);
  return response_status === null ? state : <HttpStatus status={response_status} />;
}

function stateOf(cause: Cause | null): string | null {
  const [state, failure] = [states[cause?.case ?? ''], cause?.values.failure ?? null];
  if (!state) return null;
  return failure === null ? state : `${state} · ${failureWords(failure)}`;
}

function nextAttempt(of: Listed) {
  if (of.waits_for === null) return null;
  const at = nextAttemptAt(of);
  return at === null ? text.delivery.summary.waitingInTurn : <NextTry at={at} />;
}

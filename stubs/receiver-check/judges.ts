import { adviceOn } from '../../gateway/webhooks/model/reasons.ts';
import type { Exchange } from '../../gateway/webhooks/sending/exchange.ts';
import type { Check, Judgement } from './check.ts';

const passed: Judgement = { outcome: 'passed', says: '' };
const failed = (says: string): Judgement => ({ outcome: 'failed', says });
const warned = (says: string): Judgement => ({ outcome: 'warned', says });

const unanswered = ({ outcome, error }: Exchange) => `No response (${outcome}): ${error ?? ''} ${adviceOn(outcome) ?? ''}`.trim();

/** Passes if every response is 2xx. */
export const accepted: Check['judge'] = (exchanges) => {
  const wrong = exchanges.find(({ outcome }) => outcome !== 'success');
  if (!wrong) return passed;
  const after = exchanges.length > 1 ? ` to request ${exchanges.indexOf(wrong) + 1} of ${exchanges.length}` : '';
  return failed(wrong.status === null ? unanswered(wrong) : `It answered ${wrong.status}${after} instead of 2xx.`);
};

/** Passes if every response rejects the request with 401 or another 4xx. */
export const refused: Check['judge'] = (exchanges) => {
  for (const exchange of exchanges) {
    const { status } = exchange;
    if (status === null) return failed(unanswered(exchange));
    if (status === 410)
      return failed('It answered 410, which disables the endpoint. A forged request could disable the endpoint.');
    if (status >= 200 && status < 300) return failed(`It answered ${status} to a request it must reject.`);
    // Neither accepts the request, and neither shows that the signature was the reason.
    if (status < 400) return warned(`It answered ${status} instead of 401. A redirect, such as to a login, does not refuse.`);
    if (status >= 500) return warned(`It answered ${status} instead of 401. An error of its own does not refuse.`);
  }
  return passed;
};

/** Passes if every response arrives well before the gateway's deadline. */
export const quick: Check['judge'] = (exchanges, { slowAfterMs, timeoutMs }) => {
  const slowest = exchanges.reduce((one, other) => ((one.timings.total ?? 0) > (other.timings.total ?? 0) ? one : other));
  const tookMs = Math.round(slowest.timings.total ?? 0);
  if (slowest.outcome === 'timeout') return failed(`No complete response arrived within ${timeoutMs} ms.`);
  if (slowest.status === null) return failed(unanswered(slowest));
  return tookMs < slowAfterMs
    ? passed
    : warned(`The response took ${tookMs} ms. More than ${slowAfterMs} ms is too close to the deadline.`);
};

/** Passes if the response is not a redirect. */
export const direct: Check['judge'] = ([exchange]) => {
  if (!exchange || exchange.status === null) return failed(exchange ? unanswered(exchange) : 'Nothing was sent.');
  const to = exchange.headers?.location;
  return exchange.outcome === 'redirect'
    ? failed(`It redirects${to === undefined ? '' : ` to ${to}`} (${exchange.status}), and redirects are never followed.`)
    : passed;
};

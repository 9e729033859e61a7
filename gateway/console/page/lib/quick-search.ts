import { linkTo } from './filters.ts';

export const quickSearchId = 'quick-search';

export const focusQuickSearch = () => document.getElementById(quickSearchId)?.focus();

/** The page of the thing with an id, by the id's prefix. A caller of recorded calls is `account:ID`, `token:ID` or `operator:NAME`. */
const pages: readonly (readonly [id: RegExp, path: (id: string) => string])[] = [
  [/^evt_\w+$/, (id) => `/events/${id}`],
  [/^dlv_\w+$/, (id) => `/deliveries/${id}`],
  [/^ep_\w+$/, (id) => `/endpoints/${id}`],
  [/^call_\w+$/, (id) => `/calls/${id}`],
  [/^rcv_\w+$/, (id) => linkTo('/deliveries', { recovery: id })],
  [/^opr_\w+$/, (id) => linkTo('/operators', { row: id })],
  [/^(?:account:)?(acc_\w+)$/, (id) => linkTo('/back-office/accounts', { row: id })],
  [/^sale_\w+$/, (id) => linkTo('/back-office/sales', { row: id })],
  [/^token:(\d+)$/, (id) => linkTo('/back-office/users', { of: 'tokens', row: id })],
  [/^(operator(?::.+)?)$/, (caller) => linkTo('/calls', { caller })],
];

/** The page of an id, or the calls with any other text: a reference, an idempotency key, a part of a payload. */
export function pathOf(wanted: string): string {
  for (const [pattern, path] of pages) {
    const found = pattern.exec(wanted);
    if (found) return path(found[1] ?? found[0]);
  }
  return linkTo('/calls', { q: wanted });
}

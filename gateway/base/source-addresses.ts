import ipaddr from 'ipaddr.js';

/** An address or a network that webhooks are sent from, as the operator lists it. */
export interface SourceAddress {
  /** Such as `203.0.113.7` or `2001:db8:7::/48`. */
  address: string;
  /** The start of a day in UTC; null if it is used already. */
  valid_from: number | null;
  /** The start of the first day on which it is no longer used; null if its end is not known. */
  valid_until: number | null;
}

/** Documentation addresses count as `reserved`. */
const seenByReceivers = new Set(['unicast', 'reserved']);

/** Reads an entry such as `198.51.100.0/24@2027-01-15..2027-06-30`. Returns what is wrong with another text. */
export function readSourceAddress(text: string): SourceAddress | string {
  const [, listed = '', days = ''] = /^([^@]*)(?:@(.*))?$/.exec(text) ?? [];
  const address = canonical(listed);
  if (address === null)
    return `${JSON.stringify(listed)} is not an IP address or a network such as 203.0.113.7, 198.51.100.0/24 or 2001:db8:7::/48`;
  const range = ipaddr.parse(address.split('/')[0] ?? '').range();
  if (!seenByReceivers.has(range))
    return `${listed} is not a public address (${range}): list the addresses that receivers see, such as that of your NAT or proxy`;
  if (address !== canonical(firstOf(address)))
    return `${listed} is not the first address of its network: write ${firstOf(address)}`;
  const [, from, until] = /^(\d{4}-\d\d-\d\d)?(?:\.\.(\d{4}-\d\d-\d\d))?$/.exec(days) ?? [];
  const [valid_from, valid_until] = [from, until].map((day) => (day === undefined ? null : Date.parse(`${day}T00:00:00Z`)));
  const isDay = (day: string | undefined) => day === undefined || dayOf(Date.parse(`${day}T00:00:00Z`)) === day;
  if ((text.includes('@') && from === undefined && until === undefined) || !isDay(from) || !isDay(until))
    return `${JSON.stringify(days)} is not a day: write @2027-01-15 (used from then on), @..2027-06-30 (until then) or @2027-01-15..2027-06-30`;
  if (from !== undefined && until !== undefined && until <= from) return `${listed} would end on ${until}, before it begins`;
  return { address, valid_from: valid_from ?? null, valid_until: valid_until ?? null };
}

const dayOf = (ms: number): string => (Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10));

function canonical(text: string): string | null {
  const [address = '', prefix] = text.split('/');
  const isRead = prefix === undefined ? ipaddr.isValid(address) : ipaddr.isValidCIDR(text);
  if (!isRead || !/^[\da-f.:]+$/i.test(address) || (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)))
    return null;
  return prefix === undefined ? ipaddr.parse(address).toString() : `${ipaddr.parse(address).toString()}/${Number(prefix)}`;
}

/** The network of an entry, by its first address. */
function firstOf(text: string): string {
  if (!text.includes('/')) return text;
  const kind = text.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${kind.networkAddressFromCIDR(text).toString()}/${text.split('/')[1]}`;
}

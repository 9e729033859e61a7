import { InvalidArgumentError, Option } from 'commander';
import { commaSeparated, refuseLogin } from './command.ts';

export interface Webhook {
  url: string;
  events?: string[];
  owner?: string;
}

/** `--webhook`, of each command that starts a stub. */
export const webhookOption = (description: string): Option =>
  new Option(
    '--webhook <url[=events]>',
    `${description}; separate events, and owner=account:ID or user:ID, by commas; may be repeated`,
  )
    .default([], 'none')
    .argParser(webhook);

/**
 * Parses `http://localhost:3000/hook=sale.completed,inventory.low`, with `owner=account:ID` before, after or in place of the event
 * types. In a query string, text after the last `=` counts as events only if it looks like them.
 */
function webhook(given: string, before: Webhook[]): Webhook[] {
  refuseLogin(given);
  const ownerFirst = /^(.+?)=owner=([^=,/?&]*),(.+)$/.exec(given);
  const written = ownerFirst ? `${ownerFirst[1]}=${ownerFirst[3]},owner=${ownerFirst[2]}` : given;
  const [, value = written, owner] = /^(.+?)[=,]owner=([^=,/?&]*)$/.exec(written) ?? [];
  const [, url = value, events] =
    /^(.+)=([a-z_]+\.[a-z_]+(?:,[a-z_]+\.[a-z_]+)*)$/.exec(value) ?? /^([^?]+)=([^/?]*)$/.exec(value) ?? [];
  if (url.includes('#')) throw new InvalidArgumentError('A webhook has no "#". Event types come after "=": URL=sale.completed.');
  const [, misspelt] = /^[^?]*=([a-z]+)$/.exec(url) ?? [];
  if (misspelt !== undefined)
    throw new InvalidArgumentError(
      `After the URL come event types and owner=, not "${misspelt}=": URL=sale.completed,owner=account:ID.`,
    );
  if (owner === '') throw new InvalidArgumentError('The owner after "owner=" is missing: account:ID or user:ID.');
  if (events === '') throw new InvalidArgumentError('The event types after "=" are missing. For all events, give the URL alone.');
  if (!URL.canParse(url) || /^(?!https?:)[^:]+:\/\//i.test(url))
    throw new InvalidArgumentError('It must be an address such as http://localhost:3000/hook.');
  return [
    ...before,
    { url, ...(events !== undefined && { events: commaSeparated(events) }), ...(owner !== undefined && { owner }) },
  ];
}

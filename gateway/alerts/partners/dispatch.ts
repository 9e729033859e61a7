import type { EmailSettings } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Audience, DispatchParts, Mailbox } from '../dispatch.ts';
import { recipientIds, recipientsById } from './recipients.ts';
import { partnerMessage } from './texts.ts';

export interface PartnerDispatchParts extends DispatchParts {
  /** The profile's address, such as https://gateway.example.org/profile; null if it is not known. */
  profileUrl(): string | null;
}

type Channel = Row<'alert_channels'>;

/** The channel whose server sends the messages of partners. */
export const partnersServer = (channels: readonly Channel[]): Channel | undefined =>
  channels.find(({ kind, active, for_partners }) => kind === 'email' && active && for_partners);

/** The server with another addressee. */
export const addressedTo = (server: Channel, address: string): Channel => ({
  ...server,
  settings: { ...(server.settings as EmailSettings), to: [address] },
});

/** Partners are told at each of their addresses, a few at once: mail servers refuse clients that open many connections. */
export const partnersOf = ({ store, profileUrl }: PartnerDispatchParts, server: Channel): Audience => ({
  ids: recipientIds,
  atOnce: 4,
  async mailboxes(ids) {
    const known = await recipientsById(store, ids);
    return new Map(
      [...known].map(([id, { partner, recipient }]): [string, Mailbox] => [
        id,
        {
          through: addressedTo(server, recipient.address),
          write: (told) => partnerMessage(told, partner, profileUrl()),
          logged: { owner: partner.owner },
        },
      ]),
    );
  },
});

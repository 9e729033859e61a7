import type { Row } from '../../store/tables/index.ts';
import type { Sender } from './send.ts';

export interface Senders {
  sender: Pick<Sender, 'post'>;
  /** Reaches allowed private networks too. */
  operatorSender: Pick<Sender, 'post'>;
}

/** Returns the sender that an endpoint's requests may go through. */
export const senderOf = ({ sender, operatorSender }: Senders, { owner }: Row<'endpoints'>): Pick<Sender, 'post'> =>
  owner === 'operator' ? operatorSender : sender;

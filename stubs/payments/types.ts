/** How a pending payment ends. */
export type PaymentEnd = 'received' | 'refused' | 'timed_out';
export type PaymentStatus = 'pending' | PaymentEnd;

/** A mobile-money payment of a stub. */
export interface StubPayment {
  id: string;
  /** The sale's reference. */
  reference: string;
  amount: number;
  phone: string;
  provider: string;
  status: PaymentStatus;
  /** ISO 8601. */
  created_at: string;
  /** When a pending payment ends by itself, in ISO 8601. Null if it has ended, or waits until it is settled by hand. */
  settles_at: string | null;
  /** How it ends then. */
  settles_as: PaymentEnd | null;
  /** When a pending payment ended, in ISO 8601. Null if it is pending, or was never pending in this stub. */
  settled_at: string | null;
}

/** Which payments; a payment matches every given field. */
export interface PaymentFilter {
  status?: PaymentStatus;
  /** The sale's reference. */
  reference?: string;
}

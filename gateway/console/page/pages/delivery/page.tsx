import type { PageProps } from '../../lib/page-props.ts';
import { DeliveryPage } from '../../parts/delivery/page.tsx';
import { Resend } from '../../parts/delivery/resend.tsx';
import { Skip } from '../../parts/delivery/skip.tsx';
import { NeighbourButtons } from '../../parts/neighbour-buttons.tsx';
import { Summary } from './summary.tsx';

/** One delivery, with its event and its partner. */
export default function Delivery({ params: { id = '' } }: PageProps) {
  return (
    <DeliveryPage
      id={id}
      actions={(delivery) => (
        <>
          <NeighbourButtons what="delivery" />
          <Skip delivery={delivery} />
          <Resend key={id} delivery={delivery} />
        </>
      )}
      summary={(props) => <Summary {...props} />}
    />
  );
}

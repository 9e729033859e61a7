import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { text } from '../../texts/shared.ts';
import { Time } from '../time.tsx';
import type { Delivery } from './delivery.ts';

const says = text.delivery.inOrder;

/** What a delivery of an ordered endpoint waits for or holds back, and who skipped it. */
export function InOrder({ delivery: { waits_behind: first, holds_back: held, skipped } }: { delivery: Delivery }) {
  if (!first && !held && !skipped) return null;
  return (
    <Text size="sm" role="note">
      {first &&
        says.waits(
          <Anchor component={Link} size="sm" href={`/deliveries/${encodeURIComponent(first.id)}`} className="mono break-anywhere">
            {first.id}
          </Anchor>,
          first.blocking,
        )}
      {held && says.holdsBack(held.waiting, held.more)}
      {skipped && says.skipped(whoIs(skipped.by), <Time at={skipped.at} />)}
    </Text>
  );
}

function whoIs(by: string): string {
  const [kind, name] = by.split(':');
  return kind === 'operator' ? (name ?? says.operator) : says.owner;
}

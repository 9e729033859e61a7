import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { text } from '../../texts/index.ts';

/** What made the change that emitted an event: a link to the call, or words. */
export function Cause({ of: cause }: { of: string | null }) {
  if (cause === null) return text.event.noCause;
  if (!cause.startsWith('call_')) return text.parts.causes[cause] ?? cause;
  return (
    <Anchor component={Link} size="sm" className="mono break-anywhere" href={`/calls/${encodeURIComponent(cause)}`}>
      {cause}
    </Anchor>
  );
}

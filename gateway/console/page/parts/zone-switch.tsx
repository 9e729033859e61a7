import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { zoneName } from '../lib/time.ts';
import { switchZone, useZone } from '../lib/zone.ts';
import { text } from '../texts/shared.ts';

const texts = text.frame.zone;

/** Shows the zone of all times. Switches between UTC and the viewer's own. */
export function ZoneSwitch() {
  const zone = useZone();
  useHotkeys([['u', switchZone]]);
  const title = zone === 'utc' ? texts.inUtc : texts.inLocal(zoneName('local'));
  return (
    <Button variant="subtle" color="gray" size="compact-sm" fw={500} aria-label={title} title={title} onClick={switchZone}>
      {zone === 'utc' ? 'UTC' : texts.local}
    </Button>
  );
}

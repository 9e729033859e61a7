import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { zoneName } from '../lib/time.ts';
import { switchZone, useZone } from '../lib/zone.ts';

/** Shows the zone of all times. Switches between UTC and the viewer's own. */
export function ZoneSwitch() {
  const zone = useZone();
  useHotkeys([['u', switchZone]]);
  const local = `Local time (${zoneName('local')})`;
  const title = zone === 'utc' ? `All times are in UTC. Show local time (u)` : `All times are in ${local}. Show UTC (u)`;
  return (
    <Button variant="subtle" color="gray" size="compact-sm" fw={500} aria-label={title} title={title} onClick={switchZone}>
      {zone === 'utc' ? 'UTC' : 'Local'}
    </Button>
  );
}

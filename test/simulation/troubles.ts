import type { Faults, TroubleKind } from './faults.ts';
import { Random } from './random.ts';
import type { Servers } from './servers.ts';
import type { Process } from './world.ts';

export interface TroubleParts {
  servers: Servers;
  faults: Faults;
  /** The processes that were started so far. */
  processes(): readonly Process[];
  startGateway(): unknown;
}

const minute = 60_000;
/** The writes that a replica of Redis may not have when it takes over. */
const lostWritesMs = 200;

/** Lets something happen to a process or a server. */
export function strike(
  { servers, faults, processes, startGateway }: TroubleParts,
  { kind, seed }: { kind: TroubleKind; seed: number },
) {
  const { world } = servers;
  const random = new Random(seed);
  const lasting = (set: (isOn: boolean) => void) => {
    set(true);
    world.note(kind);
    world.after(random.whole(100, 30_000), () => set(false));
  };
  const strikes: Readonly<Record<TroubleKind, () => void>> = {
    'store away': () => lasting((isOn) => faults.setAway('store', isOn)),
    'queue away': () => lasting((isOn) => faults.setAway('queue', isOn)),
    'proxy away': () => lasting((isOn) => faults.setAway('proxy', isOn)),
    'store read-only': () =>
      lasting((isOn) => {
        faults.isReadOnly = isOn;
      }),
    'queue emptied': () => {
      servers.jobs.empty();
      world.note(kind);
    },
    'queue fails over': () => {
      servers.jobs.forgetLast(lostWritesMs);
      world.note(kind);
    },
    'process killed': () => {
      const process = random.pick(processes());
      if (process.isDead) return;
      process.kill();
      world.note(kind, process.name);
      world.after(random.whole(0, minute), startGateway);
    },
    'process suspended': () => {
      const process = random.pick(processes());
      if (!process.isRunning) return;
      const forMs = random.pick([random.whole(100, 3000), random.whole(20_000, 10 * minute)]);
      process.suspend(forMs);
      world.note(kind, `${process.name} for ${forMs} ms`);
    },
    'clock far off': () => {
      const process = random.pick(processes());
      if (!process.isRunning) return;
      const skewMs = random.pick([-60, 60]) * minute;
      process.setClock(skewMs);
      world.note(kind, `${process.name} by ${skewMs} ms`);
      world.after(random.whole(minute, 10 * minute), () => process.setClock(0));
    },
  };
  if (faults.isOn) strikes[kind]();
}

import type { Broken } from './invariants.ts';
import type { Plan } from './plan.ts';
import type { Result } from './simulate.ts';

/** The parts of a plan that may be left out. */
const parts = ['changes', 'actions', 'troubles', 'faults', 'endpoints'] as const;

/** Each try is a run, of a fraction of a second. */
const maxTries = 150;

/** A failure with as little as it needs. */
export interface Shrunk {
  plan: Plan;
  broken: Broken;
  story: string[];
}

/** Leaves out more and more of a plan that failed, as long as the same invariant breaks. `play` runs a plan. */
export async function shrink(whole: Plan, failed: Result, play: (plan: Plan) => Promise<Result>): Promise<Shrunk> {
  const invariant = failed.broken[0]?.invariant;
  let [plan, result, tries] = [whole, failed, 0];
  const fails = async (cut: Plan): Promise<boolean> => {
    tries += 1;
    // Of a fault that is left out nothing must be left.
    const smaller = { ...cut, troubles: cut.troubles.filter(({ kind }) => cut.faults.includes(kind)) };
    const next = await play(smaller);
    if (!next.broken.some((one) => one.invariant === invariant)) return false;
    [plan, result] = [smaller, next];
    return true;
  };
  for (let before = ''; before !== JSON.stringify(plan) && tries < maxTries; ) {
    before = JSON.stringify(plan);
    for (const part of parts) {
      for (let size = plan[part].length; size >= 1; size = Math.floor(size / 2)) {
        for (let at = 0; at < plan[part].length && tries < maxTries; ) {
          const left = [...plan[part].slice(0, at), ...plan[part].slice(at + size)];
          if (!(await fails({ ...plan, [part]: left }))) at += size;
        }
      }
    }
    while (plan.gateways > 1 && (await fails({ ...plan, gateways: plan.gateways - 1 })));
  }
  const broken = result.broken.find((one) => one.invariant === invariant) as Broken;
  return { plan, broken, story: storyOf(broken, result.story) };
}

const ids = /\b(?:dlv|evt|ep)_\w+/g;

/** What happened to the deliveries or endpoints that a failure names, and around them. */
function storyOf({ saw }: Broken, story: readonly string[]): string[] {
  const named = saw.match(ids) ?? [];
  const deliveries = named.filter((id) => id.startsWith('dlv_'));
  // A line about a delivery names its event and its endpoint. So does a request, which does not know its delivery.
  const about = story.find((line) => deliveries.some((id) => line.includes(id)))?.match(ids) ?? named;
  const [events, endpoints] = ['evt_', 'ep_'].map((prefix) => about.filter((id) => id.startsWith(prefix)));
  const isAbout = (line: string) => [events, endpoints].every((some) => !some?.length || some.some((id) => line.includes(id)));
  return story.filter((line) => !line.match(ids) || isAbout(line));
}

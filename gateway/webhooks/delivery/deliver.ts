import type { Lease } from '../../queue/gate/port.ts';
import type { Job } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { nextJob } from '../model/jobs.ts';
import { isLate } from '../model/lane.ts';
import {
  type Admission,
  type AdmitParts,
  type Asking,
  admitStage,
  type Candidate,
  type Parked,
  type Skipped,
  type Taken,
} from './admit.ts';
import { DetachedAttempts, type DetachParts } from './detach.ts';
import { Fence } from './fence.ts';
import { leaveStage } from './lease.ts';
import { NextInLane, type NextParts } from './next-in-lane.ts';
import { postponeStage } from './postpone.ts';
import { AttemptRecorder, type Recorded, type RecordParts } from './record.ts';
import { type ReportParts, report } from './report.ts';
import { Room, type RoomParts } from './room.ts';
import { scheduleStage } from './schedule.ts';
import { makeAttempt, type SendParts } from './send.ts';
import { parkStage, type SetAsideParts, skipStage } from './set-aside.ts';
import type { Stage } from './stage.ts';

/** A job takes no further delivery after this, so that other endpoints get its worker. */
const keepsJobMs = 1000;

/**
 * The time until a delivery is tried again, if the proxy or the store failed its attempt. Meanwhile other deliveries try the
 * proxy.
 */
const putOffMs = 5000;

type Admitted = Extract<Admission, { kind: 'send' }>;

export type DeliverParts = Omit<AdmitParts, 'room'> &
  RoomParts &
  SendParts &
  SetAsideParts &
  DetachParts &
  NextParts &
  RecordParts &
  ReportParts;

/*
 * A job does not always lead to an attempt at once. What makes it wait, and what ends the wait:
 *
 * | cause                                        | mechanism                                                    | ends                                       |
 * |----------------------------------------------|--------------------------------------------------------------|--------------------------------------------|
 * | the endpoint is full for a moment            | `room.ts`: the job waits in this process                     | the gate has room, or after 3 s            |
 * | it stays full, is held, or is ordered        | `set-aside.ts`, `lanes.ts`: parked on the row, without a job | its lane is checked and has room           |
 * | its rate allows no attempt yet               | `start-after.ts`: the gate gave a start                      | at that start                              |
 * | many endpoints answer slowly                 | `shares.ts`: the gate counts fewer as full                   | as for a full endpoint                     |
 * | an attempt of the same delivery is running   | `postpone.ts`: the row and its job move to a later time      | at that time, if that attempt has died     |
 * | the attempt itself is slow                   | `detach.ts`: it leaves its job, and reserves its delivery    | it is recorded, or the reservation is over |
 * | the proxy fails                              | `proxy-hold.ts`: all jobs wait in this process               | a request gets through                     |
 * | the attempt failed                           | `schedule.ts`, `retry.ts`: the next attempt's job            | at the time of the schedule                |
 * | it failed at a held endpoint                 | `wait-for-hold.ts`, `lanes.ts`: parked on the row            | the hold ends, or at that time             |
 */

/**
 * Takes a job through the delivery pipeline. Each stage works on a batch of deliveries at once, and a job waits for the
 * batches it is in, so that a job is done only when its attempt is recorded.
 */
export class Deliverer {
  readonly #parts: DeliverParts;
  readonly #admit: Stage<Asking, Admission>;
  readonly #skip: Stage<Skipped>;
  readonly #park: Stage<Parked>;
  readonly #leave: Stage<Lease>;
  readonly #detached: DetachedAttempts;
  readonly #postpone: ReturnType<typeof postponeStage>;
  readonly #recorder: AttemptRecorder;
  readonly #schedule: Stage<Row<'deliveries'>>;
  readonly #next: NextInLane;

  constructor(parts: DeliverParts) {
    const room = new Room(parts);
    this.#parts = parts;
    this.#admit = admitStage({ ...parts, room });
    this.#skip = skipStage(parts);
    this.#park = parkStage(parts);
    this.#leave = leaveStage({ ...parts, room });
    this.#detached = new DetachedAttempts(parts);
    this.#postpone = postponeStage(parts);
    this.#recorder = new AttemptRecorder(parts);
    this.#schedule = scheduleStage(parts);
    this.#next = new NextInLane(parts);
  }

  /**
   * Makes the attempt that a job stands for. A job may run twice: the second time its attempt is recorded, so it is stale. Then
   * the job takes what waits in the lane, because a job of its own costs more than an attempt.
   */
  async deliver(job: Job, isAwaited?: () => boolean): Promise<void> {
    const untilMs = this.#parts.timers.elapsed() + keepsJobMs;
    const mayGoOn = ({ delivery }: Candidate) =>
      this.#parts.timers.elapsed() < untilMs && !(isAwaited?.() && isLate(delivery, this.#parts.clock.now()));
    let taken = await this.#deliver({ job, mayGoOn });
    while (taken) {
      const { delivery } = taken;
      taken = await this.#deliver({ job: nextJob(delivery), mayGoOn, taken }).finally(() => this.#next.ended(delivery));
    }
  }

  /** Returns the delivery that should be taken next. */
  async #deliver({
    job,
    mayGoOn,
    taken,
  }: {
    job: Job;
    mayGoOn(after: Candidate): boolean;
    taken?: Taken;
  }): Promise<Taken | undefined> {
    const { store, lanes, timers } = this.#parts;
    const fence = new Fence(store, job, timers);
    const admission = await this.#ask(job, taken);
    if (admission.kind === 'skip') await this.#skip(admission);
    // A delivery that was taken out of its lane is still parked there.
    if (admission.kind === 'park' && !taken) await this.#park(admission);
    if (admission.kind !== 'send') return undefined;

    const { candidate, lease } = admission;
    lanes.attemptBegins(candidate.delivery);
    let isDetached = false;
    let next: Taken | null | undefined;
    await this.#detached.run(job, async (releaseJob) => {
      const detach = () => {
        isDetached = true;
        releaseJob();
      };
      try {
        let recorded: Recorded;
        try {
          recorded = await this.#attempt(job, admission, fence, detach);
          const goesOn = recorded && recorded.status !== 'pending' && !isDetached && mayGoOn(candidate);
          if (goesOn) next = await this.#next.after({ candidate, lease });
        } finally {
          if (!next) await this.#leave(lease);
        }
        if (recorded) await this.#schedule(recorded);
      } finally {
        if (!next) lanes.attemptEnded(candidate.endpoint, candidate.delivery, { isLast: next === null });
      }
    });
    return next ?? undefined;
  }

  /**
   * Asks whether the attempt may begin. If a taken delivery may not begin, it stays in its lane, and the lease of the attempt
   * before it is given back.
   */
  async #ask(job: Job, taken: Taken | undefined): Promise<Admission> {
    let admission: Admission = { kind: 'stale' };
    try {
      await this.#recorder.ready();
      if (await this.#parts.proxyHold.ready()) admission = await this.#admit({ job, taken });
    } finally {
      if (taken && admission.kind !== 'send') {
        await this.#leave(taken.lease);
        this.#parts.lanes.attemptEnded(taken.before.endpoint, taken.delivery);
      }
    }
    return admission;
  }

  /** Makes an attempt and records it. Returns the delivery as it is stored then; undefined if there is nothing more to do. */
  async #attempt(job: Job, { candidate }: Admitted, fence: Fence, releaseJob: () => void): Promise<Recorded> {
    const { resets } = this.#recorder;
    const sending = makeAttempt(this.#parts, candidate, job.attempt, fence);
    const delivery = await this.#detached.releaseIfSlow(sending, candidate.delivery, releaseJob);
    const made = await sending;
    if (!made) {
      // The proxy or the store failed. Nothing is recorded, and the delivery keeps its attempts and its place in the schedule.
      if (!fence.isClosed) await this.#postpone({ delivery, ms: putOffMs });
      return undefined;
    }
    const recorded = await this.#recorder.record({ ...made, delivery, resets });
    if (recorded) report(this.#parts, recorded, made);
    return recorded;
  }

  /** Resolves when the attempts that outlived their jobs have ended. Returns how many there were so far. */
  async settled(): Promise<number> {
    await this.#detached.settled();
    return this.#detached.count;
  }

  /** Forgets the failures counted so far, and those of attempts that run: the store's rows were reset. */
  reset(): void {
    this.#recorder.reset();
  }

  /** Stops waiting for a store that is away: an attempt that cannot be recorded is made again later. */
  stop(): void {
    this.#detached.stop();
    this.#recorder.stop();
    this.#parts.proxyHold.stop();
  }
}

/*
 * One delivery, two workers, and all that may go wrong a few times: a process dies, the queue loses its jobs, a lease ends before
 * its attempt, the endpoint is full or paused, an operator sends again. `npm run model` checks every order in which this can happen.
 *
 * Each change of the row has a name, `did(NAME, how)`. The checker prints each that it meets, for transitions.txt: the simulator
 * must see all of them and no other. `how`: the row counts an `attempt`, or one `beside` what it waits for, is `updated`, or is
 * `moved` and looks as if nothing had been changed (`updated_at`).
 * A stale job does nothing but end, so the queue is the one job that fits the row.
 */
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif

/* How many things go wrong, of any kind. */
#ifndef MISHAPS
#define MISHAPS 2
#endif
#ifndef RESENDS
#define RESENDS 1
#endif

#define lane 2
#define asker 3
#define nobody 4
#define everyone 4

/* The row's status. */
#define absent 0
#define pending 1
#define delivered 2
#define failed 3
#define skipped 4

/* Its reason: nobody asked, or somebody asked for the next attempt, for one more without retries, or in a recovery. */
#define scheduled 0
#define asked 1
#define once 2
#define recovered 3
#define isUrgent(why) (why == asked || why == once)
#define isSingle(why) (why == once || why == recovered)

byte status = absent, reason = scheduled, attempts;
bool parked;

c_decl {
  static void tell(const char *name, const char *how, int before, int after) {
    static const char *statuses[] = {"absent", "pending", "delivered", "failed", "skipped"};
    static const char *reasons[] = {"", " asked", " once", " recovered"};
    printf("%s %s: %s%s%s -> %s%s%s\n", name, how, statuses[before / 8], before / 4 % 2 ? " parked" : "", reasons[before % 4],
      statuses[after / 8], after / 4 % 2 ? " parked" : "", reasons[after % 4]);
  }
}

/* The row as it was before a change, in one number. */
byte before;
hidden byte former;
#define did(name, how) \
  former = before; before = status * 8 + parked * 4 + reason; \
  c_code { static char isKnown[64][64]; \
    if (!isKnown[former][now.before]) { isKnown[former][now.before] = 1; tell(#name, #how, former, now.before); } }

bool acknowledged, taken, open = true, wasPaused, wasAsked;

/* The queue's job: none, waiting, or with a worker whose lock may be lost. */
#define noJob 2
#define waiting 3
byte job = noJob;
bool lockLost;
/* The row may have no job. */
bool lost;

/* The gate. */
byte lease = nobody;
bool orphan;

/* What each worker, the lane and the asker know. `fresh`: the row is as they read it. */
bool fresh[everyone], askedSince[2], leased[2], sending[2], dies[2];

byte mishaps = MISHAPS, resends = RESENDS;

inline changed(by) {
  fresh[0] = (by == 0); fresh[1] = (by == 1); fresh[lane] = (by == lane); fresh[asker] = (by == asker);
  job = noJob; lockLost = false
}

/* The queue takes a job that fits the row, once. */
inline enqueue(by) {
  if
  :: fresh[by] && status == pending && !parked && job == noJob -> job = waiting
  :: else
  fi
}

/* Gives back the own lease. One that has ended is another attempt's. */
inline leave(me) {
  d_step {
    if
#ifdef MISTAKE_LEAVES_OTHERS
    :: true -> leased[me] = false; lease = nobody; orphan = false
#else
    :: leased[me] -> leased[me] = false; lease = nobody
    :: else
#endif
    fi
  }
}

inline record(me) {
  atomic {
    if
    :: status == pending && attempts == number - 1 ->
       attempts++; parked = false;
       if
       :: reason != scheduled && askedSince[me] ->
          reason = (ok || isSingle(wasReason) || number >= ATTEMPTS -> once : asked); did(again, attempt)
       :: else ->
          if
          :: ok -> status = delivered; reason = scheduled; did(deliver, attempt)
          :: !ok && !isSingle(wasReason) && number < ATTEMPTS -> reason = scheduled; did(retry, attempt)
          /* At a held endpoint. */
          :: !ok && !isSingle(wasReason) && number < ATTEMPTS -> reason = scheduled; parked = true; did(retry_parked, attempt)
          :: else -> status = failed; reason = scheduled; did(die, attempt)
          fi
       fi
    :: else ->
       if
       :: attempts <= ATTEMPTS -> attempts++
       :: else
       fi;
       if
       :: ok && status != delivered && reason == scheduled ->
          status = delivered; parked = false; did(deliver_beside, attempt)
       :: else -> did(beside, beside)
       fi
    fi;
    changed(me)
  }
}

#ifdef MISTAKE_BELIEVES_FAILURES
#define MISTAKEN_SUCCESS true
#else
#define MISTAKEN_SUCCESS false
#endif

/* Moves the next attempt to a later time. */
inline postpone(me) {
  changed(me);
  if
  :: parked -> parked = false; did(unpark, moved)
  :: else -> did(postpone, moved)
  fi
}

inline makeAttempt(me) {
  sending[me] = true;
  if
  :: taken = true; ok = true
  :: taken = true; ok = false
  :: ok = MISTAKEN_SUCCESS
  fi;
  if
  :: skip
  :: d_step { fresh[me] && status == pending -> postpone(me) };
     d_step { enqueue(me) }
  fi;
  sending[me] = false;
  record(me);
  leave(me)
}

inline forget(me) {
  fresh[me] = false; askedSince[me] = false; number = 0; answer = 0; ok = false; isCurrent = false; wasReason = scheduled
}

#ifdef MISTAKE_NO_LEASE_CHECK
#define UNCHECKED true
#else
#define UNCHECKED false
#endif

inline work(me) {
  d_step {
    if
    :: job == waiting -> job = me; lockLost = false; isCurrent = status == pending && !parked
    /* The job of the delivery before takes this one out of its lane. */
    :: parked && status == pending -> isCurrent = true
    fi;
    fresh[me] = true; number = attempts + 1; wasReason = reason; askedSince[me] = false
  };
  if
  :: !isCurrent
  :: isCurrent && !open ->
     d_step {
       if
       :: status == pending -> status = skipped; parked = false; reason = scheduled; changed(me); did(skip, updated)
       :: else
       fi
     }
  :: isCurrent && open ->
     atomic {
       if
       :: lease != nobody && !UNCHECKED -> answer = 1
       :: lease == nobody && mishaps > 0 && !isUrgent(wasReason) -> mishaps--; answer = 2
       :: lease == nobody || UNCHECKED -> lease = me; orphan = false; leased[me] = true
       fi
     };
     if
     :: answer == 1 ->
        d_step {
          if
          :: fresh[me] && status == pending -> postpone(me)
          :: else
          fi
        }
     :: answer == 2 ->
        d_step {
          if
          :: status == pending && !parked -> parked = true; job = noJob; did(park, moved)
          :: else
          fi
        }
     :: answer == 0 && wasReason != scheduled && attempts != number - 1 -> leave(me)
     :: answer == 0 && !(wasReason != scheduled && attempts != number - 1) -> makeAttempt(me)
     fi
  fi;
  d_step {
    if
    :: job == me && !lockLost -> job = noJob
    :: else
    fi;
    enqueue(me);
    forget(me)
  }
}

proctype worker(byte me) {
  byte number, answer, wasReason;
  bool ok, isCurrent;
  do
  :: {
       do
       :: work(me)
       od
     } unless {
       d_step {
         dies[me] -> dies[me] = false; sending[me] = false; forget(me);
         orphan = orphan || leased[me]; leased[me] = false; lockLost = lockLost || job == me
       }
     }
  od
}

/* Any process looks at the lane, and may die between the row and the queue. */
proctype lanes() {
  do
  :: d_step { parked && open && status == pending -> parked = false; changed(lane); did(unpark, moved) };
     if
     :: d_step { enqueue(lane) }
     :: d_step { mishaps > 0 -> mishaps--; lost = true }
     fi
  :: d_step { parked && !open && status == pending -> status = skipped; parked = false; reason = scheduled; changed(lane); did(skip, updated) }
  od
}

#ifndef MISTAKE_NO_RECONCILER
proctype reconciler() {
  do
  :: d_step { lost && status == pending && !parked -> lost = false; if :: job == noJob -> job = waiting :: else fi }
  od
}
#endif

/* Leases and locks of processes that died end. */
proctype clock() {
  do
#ifndef MISTAKE_ETERNAL_LEASE
  :: d_step { orphan -> orphan = false; lease = nobody }
#endif
  :: d_step { lockLost -> lockLost = false; job = waiting }
  od
}

proctype faults() {
  do
#ifndef CALM
  :: atomic { mishaps > 0 -> mishaps--; lost = true; if :: dies[0] = true :: dies[1] = true fi }
  :: d_step { mishaps > 0 -> mishaps--; lost = true; job = noJob; lockLost = false }
  :: d_step { mishaps > 0 && lease < nobody && !orphan -> mishaps--; leased[lease] = false; lease = nobody }
#endif
  /* Another delivery's attempt opens a hold. What has failed waits in the lane, although its retry may have a job or an attempt. */
  :: d_step { mishaps > 0 && status == pending && !parked && attempts > 0 && reason == scheduled -> mishaps--; parked = true; did(park, moved) }
  :: d_step { mishaps > 0 -> mishaps--; open = false; wasPaused = true };
     open = true
  od
}

/* A caller, and an operator who sends again. Either may die between the row and the queue. */
proctype asking() {
  atomic {
    if
    :: !open -> status = skipped; did(create_skipped, updated)
    :: open -> status = pending; did(create, updated)
    :: open -> status = pending; parked = true; did(create_parked, updated)
    :: open -> status = pending; reason = asked; did(create_test, updated)
    :: open -> status = pending; reason = once; did(create_test, updated)
    fi;
    fresh[asker] = true;
    wasAsked = reason != scheduled;
    acknowledged = true
  };
  if
  :: d_step { enqueue(asker) }
  :: d_step { mishaps > 0 -> mishaps--; lost = true }
  fi;
  do
  :: atomic {
       resends > 0 && open ->
       resends--;
       if
       :: status == pending -> reason = (isSingle(reason) -> once : asked); parked = false; did(bring_forward, updated)
       :: status != pending -> status = pending; reason = once; did(resend, updated)
       :: status == failed || status == skipped -> status = pending; reason = recovered; did(recover, updated)
       :: status == pending && !isUrgent(reason) -> reason = scheduled; parked = false; did(hasten, updated)
       :: status == pending && attempts > 0 && reason == scheduled -> status = failed; parked = false; did(give_up, updated)
       :: status == failed -> did(unblock, updated)
       :: status == failed -> did(unblock, moved)
       fi;
       wasAsked = true; changed(asker); askedSince[0] = true; askedSince[1] = true
     };
     if
     :: d_step { enqueue(asker) }
     :: d_step { mishaps > 0 -> mishaps--; lost = true }
     fi
  od
}

proctype time() { do :: true -> true od }

init {
  atomic {
    run worker(0); run worker(1); run lanes(); run clock(); run faults(); run asking(); run time();
#ifndef MISTAKE_NO_RECONCILER
    run reconciler()
#endif
  }
}

#define oneAtATime !(sending[0] && sending[1] && leased[0] && leased[1])
#define deliveredIsTaken (status != delivered || taken)
#define keptOrEnded (!acknowledged || status == pending || status == delivered || \
  (status == skipped && wasPaused) || (status == failed && (attempts >= ATTEMPTS || wasAsked)))

ltl safe { [] (oneAtATime && deliveredIsTaken && keptOrEnded) }
ltl ends { [] (acknowledged -> <> [] (status == delivered || status == failed || status == skipped)) }

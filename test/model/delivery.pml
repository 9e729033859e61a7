/*
 * One delivery, two workers, and all that may go wrong a few times: a process dies, the queue loses its jobs, a lease ends before
 * its attempt, the endpoint is full or paused, an operator sends again. `npm run model` checks every order in which this can happen.
 *
 * Each change of the row has a name, `did(NAME)`.
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

#define did(name) skip
#define lane 2
#define asker 3
#define nobody 4
#define everyone 4

mtype = { none, pending, delivered, failed, skipped };

/* The row. `asked`: the reason is an operator's. `single`: it has no retries then. */
mtype status = none;
bool parked, asked, single;
byte attempts;
bool acknowledged, taken, open = true, wasPaused;

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
  d_step {
    if
    :: status == pending && attempts == number - 1 ->
       attempts++; parked = false;
       if
       :: asked && askedSince[me] -> single = ok || wasSingle || number >= ATTEMPTS; did(again)
       :: else ->
          if
          :: ok -> status = delivered; did(deliver)
          :: !ok && !wasSingle && number < ATTEMPTS -> did(retry)
          :: else -> status = failed; did(die)
          fi;
          asked = false; single = false
       fi
    :: else ->
       if
       :: attempts <= ATTEMPTS -> attempts++
       :: else
       fi;
       if
       :: ok && status != delivered && !(status == pending && asked) ->
          status = delivered; parked = false; did(deliver_beside)
       :: else -> did(beside)
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

inline makeAttempt(me) {
  sending[me] = true;
  if
  :: taken = true; ok = true
  :: taken = true; ok = false
  :: ok = MISTAKEN_SUCCESS
  fi;
  if
  :: skip
  :: d_step { fresh[me] && status == pending -> changed(me); did(postpone) };
     d_step { enqueue(me) }
  fi;
  sending[me] = false;
  record(me);
  leave(me)
}

inline forget(me) {
  fresh[me] = false; askedSince[me] = false; number = 0; answer = 0; ok = false; isCurrent = false; wasAsked = false; wasSingle = false
}

#ifdef MISTAKE_NO_LEASE_CHECK
#define UNCHECKED true
#else
#define UNCHECKED false
#endif

inline work(me) {
  d_step {
    job == waiting -> job = me; lockLost = false; fresh[me] = true;
    isCurrent = status == pending && !parked;
    number = attempts + 1; wasAsked = asked; wasSingle = single; askedSince[me] = false
  };
  if
  :: !isCurrent
  :: isCurrent && !open ->
     d_step {
       if
       :: status == pending -> status = skipped; parked = false; asked = false; changed(me); did(skip)
       :: else
       fi
     }
  :: isCurrent && open ->
     atomic {
       if
       :: lease != nobody && !UNCHECKED -> answer = 1
       :: lease == nobody && mishaps > 0 && !wasAsked -> mishaps--; answer = 2
       :: lease == nobody || UNCHECKED -> lease = me; orphan = false; leased[me] = true
       fi
     };
     if
     :: answer == 1 ->
        d_step {
          if
          :: fresh[me] && status == pending -> changed(me); did(postpone)
          :: else
          fi
        }
     :: answer == 2 ->
        d_step {
          if
          :: status == pending && !parked -> parked = true; job = noJob; did(park)
          :: else
          fi
        }
     :: answer == 0 && wasAsked && attempts != number - 1 -> leave(me)
     :: answer == 0 && !(wasAsked && attempts != number - 1) -> makeAttempt(me)
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
  byte number, answer;
  bool ok, isCurrent, wasAsked, wasSingle;
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
  :: d_step { parked && open && status == pending -> parked = false; changed(lane); did(unpark) };
     if
     :: d_step { enqueue(lane) }
     :: d_step { mishaps > 0 -> mishaps--; lost = true }
     fi
  :: d_step { parked && !open && status == pending -> status = skipped; parked = false; asked = false; changed(lane); did(skip) }
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
  :: atomic { mishaps > 0 -> mishaps--; lost = true; if :: dies[0] = true :: dies[1] = true fi }
  :: d_step { mishaps > 0 -> mishaps--; lost = true; job = noJob; lockLost = false }
  :: d_step { mishaps > 0 && lease < nobody && !orphan -> mishaps--; leased[lease] = false; lease = nobody }
  :: d_step { mishaps > 0 -> mishaps--; open = false; wasPaused = true };
     open = true
  od
}

/* A caller, and an operator who sends again. Either may die between the row and the queue. */
proctype asking() {
  atomic {
    if
    :: !open -> status = skipped; did(create_skipped)
    :: open -> status = pending; did(create)
    :: open -> status = pending; parked = true; did(create_parked)
    fi;
    fresh[asker] = true;
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
       :: status == pending -> did(bring_forward)
       :: else -> status = pending; single = true; did(resend)
       fi;
       asked = true; parked = false; changed(asker); askedSince[0] = true; askedSince[1] = true
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
  (status == skipped && wasPaused) || (status == failed && (attempts >= ATTEMPTS || resends == 0)))

ltl safe { [] (oneAtATime && deliveredIsTaken && keptOrEnded) }
ltl ends { [] (acknowledged -> <> [] (status == delivered || status == failed || status == skipped)) }

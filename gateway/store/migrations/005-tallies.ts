import { run } from './run.ts';

/** The values of `latencyBoundsMs` when this migration was written. */
const latencyBoundsMs = [1, 2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** Tallies by windows of time, and an index of each endpoint's failures by time. */
export const tallies = run(
  `create table passerelle.tallies (
    kind text collate "C" not null,
    width integer not null,
    at bigint not null,
    subject text collate "C" not null,
    name text collate "C" not null,
    total integer not null,
    refused integer not null,
    share integer not null,
    limit_max integer not null,
    ${latencyBoundsMs.map((bound) => `ms_${bound} integer not null`).join(', ')},
    primary key (kind, width, at, subject, name)
  )`,
  `create index tallies_width_at on passerelle.tallies (width, at)`,
  `create index tallies_subject_width_at on passerelle.tallies (subject, width, at)`,
  `create index tallies_refused on passerelle.tallies (width, at) where refused > 0`,
  `create index attempts_failed on passerelle.attempts (endpoint_id, id) where outcome <> 'success'`,
);

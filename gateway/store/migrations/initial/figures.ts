/** Counts by windows of time. */
export const figures = [
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
    latency numeric not null,
    primary key (kind, width, at, subject, name)
  )`,
  `create index tallies_width_at on passerelle.tallies (width, at)`,
  `create index tallies_subject_width_at on passerelle.tallies (subject, width, at)`,
  `create index tallies_refused on passerelle.tallies (width, at) where refused > 0`,
];

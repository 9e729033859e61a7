import { run } from './run.ts';

/** Pull consumers of partners, with the cursors that they have acknowledged. */
export const consumers = run(
  `create table passerelle.consumers (
    id text collate "C" not null,
    owner text collate "C" not null,
    name text collate "C" not null,
    types json,
    cursor text collate "C" not null,
    acknowledged_at bigint,
    created_at bigint not null,
    primary key (id),
    unique (owner, name)
  )`,
);

import { run } from './run.ts';

/** Saved views of the console's lists. */
export const views = run(
  `create table passerelle.views (
    id text collate "C" not null,
    list text collate "C" not null,
    name text collate "C" not null,
    filters json not null,
    created_by text collate "C" not null,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (id),
    unique (list, name)
  )`,
);

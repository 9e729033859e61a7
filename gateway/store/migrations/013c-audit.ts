import { run } from './run.ts';

/** What operators did. */
export const audit = run(
  `create table passerelle.audit (
    id text collate "C" not null,
    at bigint not null,
    operator text collate "C",
    action text collate "C" not null,
    ok boolean not null,
    target text collate "C",
    ip text collate "C" not null,
    call_id text collate "C" not null,
    changes json not null,
    more integer not null,
    primary key (id)
  )`,
  `create index audit_operator_id on passerelle.audit (operator, id)`,
  `create index audit_action_id on passerelle.audit (action, id)`,
  `create index audit_target_id on passerelle.audit (target, id) where target is not null`,
);

/** The number of positions that each timeline has for its transactions. */
export const stride = 1_000_000_000_000;

const timeline = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint";

/**
 * Returns SQL that defines what is added to the number of a transaction. A failover and a recovery to a
 * point in time begin a new timeline, in which the numbers of lost transactions are given again. So
 * events after a failover come last, even if no process starts again and a pooler hides the failover.
 * `base`: an SQL expression, evaluated now.
 */
export const definePositionBase = (base: string): string => `do $$
begin
  execute format('create or replace function passerelle.position_base() returns bigint language sql stable parallel safe as %L',
    format('select %s + ${stride} * ${timeline.replaceAll("'", "''")}', ${base}));
end $$`;

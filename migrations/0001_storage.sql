-- What drizzle cannot express of the tables in `tenant`.

-- The payloads of deliveries are kept for a moment only: compression would cost more time than it saves
-- space.
alter table tenant._deliveries
  alter column records set storage external, alter column previous set storage external;

-- Many rows of these tables live for a short time, and all sites share each table.
alter table tenant._invocations
  set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table tenant._kept_answers
  set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table tenant._deliveries
  set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

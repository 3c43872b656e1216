-- Stores the payloads of deliveries uncompressed: they are kept for a moment only, and compression would cost
-- more time than it saves space. drizzle cannot express this.
alter table _deliveries alter column records set storage external, alter column previous set storage external;

/**
 * What `npm test` leaves to `npm run test:all`, which .ci/run runs: the files that take more than half of the
 * computing time. They also run if they are named, and by `npm test -- --since main` after a change to their
 * area.
 */

/** Generated values against an independent model: they find more the more often they run. */
const models = [
  'data/batch/nested-property',
  'data/batch/property',
  'data/edges/concurrency',
  'data/fidelity',
  'data/graph/reference',
  'data/guests/explain',
  'data/guests/reference',
  'data/guests/together-reference',
  'data/guests/writes-reference',
  'data/history/as-of',
  'data/providers/alter',
  'data/providers/jsonb',
  'data/query/aggregates-reference',
  'data/query/reference',
  'data/records/model',
  'data/records/position-walks',
  'data/records/search-prefixes',
  'data/schema-changes/losses',
  'events/crashes',
  'login/linking',
  'organizations/roles-property',
  'security/account-sequences',
  'security/fuzz',
  'security/hidden-values',
  'security/record-paths',
  'security/shared-tables',
]

/** The same at every operation, door, key or form. */
const sweeps = [
  'data/query/json-paths',
  'data/query/indexes',
  'data/query/related-negation',
  'data/records/holders',
  'data/records/keys',
  'data/records/meant',
  'data/records/positions',
  'data/records/read-back',
  'data/records/soft-restrict',
  'data/records/taken-references',
  'data/records/write-options',
  'http/lists',
  'http/with-read-only',
  'security/enumeration',
  'security/guest-accounts',
  'security/isolation',
  'security/pending-invitations',
  'security/sign-in-hosts',
  'security/width',
]

/** Large values, many requests, hashed passwords, deadlines and repetitions. */
const loads = [
  'access/throttle',
  'accounts/endings',
  'accounts/passwords',
  'accounts/sign-up',
  'data/batch/batch',
  'data/batch/nested',
  'data/records/atomic',
  'data/records/bulk',
  'data/records/json-texts',
  'data/records/shifts',
  'data/records/streams',
  'data/schema-changes/concurrency',
  'data/schema-changes/waiting',
  'data/schema-changes/trash/trash',
  'data/schema-changes/trash/cascade',
  'db/distance',
  'events/accounts',
  'events/backlog',
  'events/records',
  'functions/proxy',
  'login/providers',
  'login/social',
  'organizations/domains',
  'organizations/use',
  'secrets/cache',
  'secrets/encryption',
  'secrets/types',
  'security/answer-doors',
  'security/answer-size',
  'security/exhaustion',
  'security/hosts',
  'security/pool',
  'transfers/archive',
  'transfers/copy',
  'transfers/hostile',
  'transfers/restore',
  'transfers/round-trip',
  'unit/kernel/lib/isolate-cache-heap',
]

export const leftOut: readonly string[] = [...models, ...sweeps, ...loads].map(
  (file) => `test/${file}.test.ts`,
)

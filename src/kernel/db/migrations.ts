/** The version of the schema that this code needs. */
import journal from '../../../migrations/meta/_journal.json' with { type: 'json' }

/** The number of migrations that the database must have. Only `npm run db:migrate` runs them. */
export const schemaVersion = journal.entries.length

/**
 * `npm run test:postgres`: tests the schema on other versions of Postgres. They are installed in
 * test/postgres.
 */
import { runPackagedTests } from './packaged-tests.ts'

await runPackagedTests('postgres', 'other versions of Postgres')

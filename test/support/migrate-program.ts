/**
 * Migrates the database at OWNER_DATABASE_URL with the files of a folder, like `npm run db:migrate` with its
 * own files. It is a process that a test can kill.
 */
import { migrate } from '../../dev/migrations.ts'

const [folder = ''] = process.argv.slice(2)
const { OWNER_DATABASE_URL = '', DATABASE_URL = '', SCHEMA_DATABASE_URL } = process.env

try {
  const applied = await migrate(OWNER_DATABASE_URL, {
    folder,
    roles: { service: DATABASE_URL, schema: SCHEMA_DATABASE_URL },
  })
  console.log(`${applied} migrations were run.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

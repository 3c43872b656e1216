/**
 * Migrates the database at OWNER_DATABASE_URL with the files of a folder, like `npm run db:migrate` with its
 * own files, and prints a line for each site. It is a process that a test can kill.
 */
import { migrate } from '../../dev/migrations.ts'

const [folder = '', sitesAtOnce = '1'] = process.argv.slice(2)
const { OWNER_DATABASE_URL = '', DATABASE_URL = '', SCHEMA_DATABASE_URL } = process.env

try {
  const { sites } = await migrate(OWNER_DATABASE_URL, {
    folder,
    sitesAtOnce: Number(sitesAtOnce),
    roles: { service: DATABASE_URL, schema: SCHEMA_DATABASE_URL },
    report: (progress) => console.log(JSON.stringify(progress)),
  })
  console.log(`${sites} sites were migrated.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

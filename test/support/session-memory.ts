/** The memory of the sessions of Postgres. */
import type { TestApp } from './app.ts'

/**
 * Returns the most bytes that each session of the service has used in the file's database, without shared
 * memory and programs. Empty where the system does not tell.
 */
export async function sessionBytes(app: TestApp): Promise<number[]> {
  const sessions = await app.sql<{ status: string | null }>(
    `select pg_read_file('/proc/' || pid || '/status', true) as status from pg_stat_activity
      where backend_type = 'client backend' and usename = 'tessera_service' and datname = current_database()`,
  )
  return sessions.flatMap(({ status }) => {
    if (!status) return []
    const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
    return bytes('VmHWM') - bytes('RssShmem') - bytes('RssFile')
  })
}

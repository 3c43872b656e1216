/**
 * A replica of a Postgres, set up like an administrator would: a copy of the cluster that streams the log.
 */
import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { onConnection } from '../../dev/connection.ts'
import { type PostgresServer, startPostgres } from '../../dev/postgres.ts'
import { type User, unprivilegedUser } from '../../dev/postgres-programs.ts'

export interface Standby {
  server: PostgresServer
  /** Delays the replay of each commit by this time. */
  delay(milliseconds: number): Promise<void>
  /** Tells if it has replayed everything that the primary has written. */
  hasCaughtUp(): Promise<boolean>
  stop(): Promise<void>
}

/** Starts a replica of a running server. */
export async function startStandby(primary: PostgresServer): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-standby-'))
  const { port, password } = new URL(primary.superuserUrl())
  await copyCluster(primary, join(folder, 'cluster'))
  writeFileSync(join(folder, 'superuser-password'), password, { mode: 0o600 })
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  if (user) giveTo(user, folder)
  const server = await startPostgres({
    folder,
    settings: [
      'fsync=off',
      `primary_conninfo=host=127.0.0.1 port=${port} user=postgres password=${password}`,
    ],
  })
  const ask = <Row>(of: PostgresServer, text: string) =>
    onConnection(of.superuserUrl(), async (client) => (await client.query(text)).rows[0] as Row)
  return {
    server,
    async delay(milliseconds) {
      await ask(server, `alter system set recovery_min_apply_delay = ${milliseconds}`)
      await ask(server, 'select pg_reload_conf()')
    },
    async hasCaughtUp() {
      const { at } = await ask<{ at: string }>(primary, 'select pg_current_wal_insert_lsn() as at')
      return (await ask<{ has: boolean }>(server, `select pg_last_wal_replay_lsn() >= '${at}' as has`)).has
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies the files of a running server, so that the copy can start as a replica. */
function copyCluster(primary: PostgresServer, target: string): Promise<void> {
  return onConnection(primary.superuserUrl(), async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const source = rows[0]?.data_directory as string
    await client.query(`select pg_backup_start('standby', true)`)
    const isCopied = (path: string) =>
      basename(path) !== 'postmaster.pid' && dirname(path) !== join(source, 'pg_wal')
    cpSync(source, target, { recursive: true, filter: isCopied })
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(target, 'backup_label'), stopped.rows[0]?.labelfile as string)
    writeFileSync(join(target, 'standby.signal'), '')
    mkdirSync(join(target, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 })
  })
}

function giveTo({ uid, gid }: User, folder: string): void {
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, path), uid, gid)
}

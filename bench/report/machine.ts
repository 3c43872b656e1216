/** The machine and the commit that a measurement belongs to. */
import { execFileSync } from 'node:child_process'
import { arch, cpus, platform, totalmem } from 'node:os'
import type pg from 'pg'

export interface Machine {
  cpu: string
  cores: number
  memoryGiB: number
  system: string
  node: string
  postgres: string
}

/** Describes this machine, with its Postgres. */
export async function describeMachine(sql: pg.Client): Promise<Machine> {
  const { rows } = await sql.query<{ server_version: string }>('show server_version')
  const processors = cpus()
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? 'unknown',
  }
}

/** Returns the commit of the files in the form of Results; `unknown` outside of a repository. */
export function currentCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      encoding: 'utf8',
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '')
  } catch {
    return 'unknown'
  }
}

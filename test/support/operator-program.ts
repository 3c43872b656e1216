/**
 * Replaces the programs of an operator that may be missing on this machine: psql, which runs its statement;
 * and npx, which calls the replacement for wrangler and records a call of neonctl.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { onConnection } from '../../dev/connection.ts'

const [program, ...args] = process.argv.slice(2)

const programs: Record<string, () => Promise<void> | void> = {
  async psql() {
    const [url = '', flag, statement = '', ...rest] = args
    if (flag !== '-c' || rest.length > 0) throw new Error(`psql ${args.join(' ')} is not understood`)
    const { rows } = await onConnection(url, (client) => client.query(statement))
    console.log(JSON.stringify(rows))
  },
  npx() {
    const [name, ...own] = args
    if (name === 'wrangler') {
      const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'wrangler.ts'), ...own], {
        stdio: 'inherit',
      })
      process.exitCode = status ?? 1
    } else if (name === 'neonctl')
      appendFileSync(`${process.env.WRANGLER_ACCOUNT}.calls`, `${args.join(' ')}\n`)
    else throw new Error(`npx ${name} is not understood`)
  },
}

await programs[program ?? '']?.()

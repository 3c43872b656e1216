/** Copies the data of a stopped stack, so that tests begin with a database that is there already. */
import { cpSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyCluster } from './postgres.ts'

/** What a stack keeps besides its cluster. Ports, processes and rate limits are those of one stack. */
const kept = ['database-password', 'signing-keys.json', 'master-keys.json']

/** Copies the data into an empty folder. */
export function copyDataFolder(from: string, to: string): void {
  copyCluster(resolve(from, 'postgres'), resolve(to, 'postgres'))
  for (const name of kept) if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name))
}

/** Ports that stay the same between starts, so that the address of the database does not change. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, isFree } from './free-port.ts'

/**
 * Returns the port that `name` had before in a data folder; another one if there was none, or if it is taken.
 */
export async function keptPort(dataFolder: string, name: 'postgres' | 'endpoint'): Promise<number> {
  const file = join(dataFolder, 'ports.json')
  const ports = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {}
  const before = ports[name]
  if (before !== undefined && (await isFree(before))) return before
  const port = await freePort()
  writeFileSync(file, JSON.stringify({ ...ports, [name]: port }))
  return port
}

function parse(text: string): Record<string, number | undefined> {
  try {
    return JSON.parse(text)
  } catch {
    // The file was cut off while it was written.
    return {}
  }
}

/** `npm run bench [-- name …]`: the benchmarks, one after the other, or those that are named. They take minutes, and the machine for themselves. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'bench')
const all = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'stack')
const names = process.argv.length > 2 ? process.argv.slice(2) : all

for (const name of names) {
  const file = join(folder, `${name}.ts`)
  if (!existsSync(file)) {
    console.error(`There is no benchmark "${name}". There are: ${all.join(', ')}.`)
    process.exit(1)
  }
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

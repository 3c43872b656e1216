/**
 * `npm run bench [-- name …] [--option …]`: runs all benchmarks or the named ones, one after the other, with
 * their options. They take minutes, and need the whole machine.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'bench')
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'stack')
const words = process.argv.slice(2)
const firstOption = words.findIndex((word) => word.startsWith('-'))
const named = firstOption === -1 ? words : words.slice(0, firstOption)
const options = words.slice(named.length)
const names = named.length > 0 ? named : all

for (const name of names) {
  if (!all.includes(name)) {
    console.error(`There is no benchmark "${name}". There are: ${all.join(', ')}.`)
    process.exit(1)
  }
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.ts`), ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}

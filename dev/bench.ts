/** `npm run bench -- <name>`: runs a benchmark of bench/. */
import './assets.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'bench')
const names = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'stack')
const [name = ''] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`npm run bench -- <name>, where the name is one of: ${names.join(', ')}`)
  process.exit(1)
}
await import(join(folder, `${name}.ts`))

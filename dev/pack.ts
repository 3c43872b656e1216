/**
 * `npm run pack -- --out <folder>`: builds the packages that users install, and packs each into an archive for
 * npm.
 */
import { mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './packages/pack.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } })
const out = resolve(values.out)
mkdirSync(out, { recursive: true })
for (const archive of await packAll(out))
  console.log(`${(statSync(archive).size / 1024).toFixed(0).padStart(7)} kB  ${archive}`)

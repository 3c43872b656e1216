/**
 * `npm run db:generate -- <name>`: writes the migrations for changes of drizzle/ that migrations/ lacks. Read
 * them before you commit them. Only the newest snapshot of drizzle-kit is kept, because the next migration is
 * made from it.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [name] = process.argv.slice(2)
if (!name) {
  console.error('Usage: npm run db:generate -- <name>')
  process.exit(1)
}

const kit = join(root, 'node_modules', 'drizzle-kit', 'bin.cjs')
execFileSync(process.execPath, [kit, 'generate', '--config', 'drizzle/config.ts', '--name', name], {
  cwd: root,
  stdio: 'inherit',
})
const folder = join(root, 'migrations')
for (const file of sorted(folder, '.sql')) complete(join(folder, file))
for (const snapshot of sorted(join(folder, 'meta'), '_snapshot.json').slice(0, -1))
  rmSync(join(folder, 'meta', snapshot))

function sorted(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
}

/** Adds the first line to a file that drizzle-kit wrote. */
function complete(file: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.startsWith('--')) writeFileSync(file, `-- Tables, written by drizzle-kit from drizzle/.\n${text}`)
}

/** `npm run db:generate -- <name>`: writes the migrations that drizzle/ has and migrations/ lacks. Read them before you commit them; of meta/, keep the newest snapshot alone. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [name] = process.argv.slice(2)
if (!name) {
  console.error('Usage: npm run db:generate -- <name>')
  process.exit(1)
}

for (const kind of ['platform', 'tenant']) {
  const kit = join(root, 'node_modules', 'drizzle-kit', 'bin.cjs')
  execFileSync(process.execPath, [kit, 'generate', '--config', `drizzle/${kind}.config.ts`, '--name', name], { cwd: root, stdio: 'inherit' })
}

// drizzle-kit writes what references lead to with the schema "public". A tenant's tables stand in its own.
const folder = join(root, 'migrations', 'tenant')
for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.sql'))) {
  const text = readFileSync(join(folder, file), 'utf8')
  if (text.includes('"public".')) writeFileSync(join(folder, file), text.replaceAll('"public".', ''))
}

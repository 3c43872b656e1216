/** Puts what the page of the API's reference is made of among the static files. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src', 'assets', 'docs')

mkdirSync(folder, { recursive: true })
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE']) {
  copyFileSync(join(root, 'node_modules', 'swagger-ui-dist', file), join(folder, file))
}

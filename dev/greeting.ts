/** The texts that the local stack prints when it is ready. */
import { demo } from './demo/data.ts'
import type { Settings } from './settings.ts'

/**
 * Returns the greeting of `npm start`. `url` is the address of the Worker, `mongodb` the connection string of a
 * server that was started with it.
 */
export function greeting(url: URL, { admin }: Settings, hasDevVars: boolean, mongodb?: string): string {
  const address = url.href.replace(/\/$/, '')
  const data = `${address}/api/apps/${demo.app}/datatables/tools/data/`
  const credentials = JSON.stringify({ username: admin.email, password: admin.password }).replaceAll(
    "'",
    "'\\''",
  )
  const wrangler = hasDevVars
    ? '\n  wrangler  npx wrangler dev in another terminal reloads your edits and uses this database'
    : ''
  return `
Tessera runs at ${address}   (site "${demo.site}", app "${demo.app}"; press Ctrl-C to stop)

  e-mail    ${admin.email}
  password  ${admin.password}
  console   ${address}/console/${wrangler}${mongodb ? `\n  MongoDB   ${mongodb}` : ''}

Try it:

  TOKEN=$(curl -s ${address}/api/auth/jwt/token/ -H 'Content-Type: application/json' -d '${credentials}' | sed -E 's/.*"access":"([^"]+)".*/\\1/')
  curl -s -H "Authorization: Bearer $TOKEN" '${data}?condition=good&daily_fee__lt=5&ordering=-daily_fee&page_size=3'
  curl -s -H "Authorization: Bearer $TOKEN" ${data} -H 'Content-Type: application/json' -d '{"name": "Torque wrench", "category_id": 1, "daily_fee": 2.5}'
`
}

/** Returns the greeting of `npm run setup`. `holder` describes the process that runs the database. */
export const setupGreeting = ({ admin }: Settings, holder: string): string => `
The database is running: ${holder}. Its address is in .dev.vars.

  npx wrangler dev           starts the Worker and reloads it after each edit
  npm run setup -- --stop    stops the database in the background

  e-mail    ${admin.email}
  password  ${admin.password}
`

/** What the local stack says when it runs. */
import { demo } from './demo/data.ts'
import type { Settings } from './settings.ts'

/** Of `npm start`. `url` is where the Worker answers. */
export function greeting(url: URL, { admin }: Settings, hasDevVars: boolean): string {
  const address = url.href.replace(/\/$/, '')
  const data = `${address}/api/apps/${demo.app}/datatables/tools/data/`
  const credentials = JSON.stringify({ username: admin.email, password: admin.password }).replaceAll(
    "'",
    "'\\''",
  )
  const wrangler = hasDevVars ? '\n  wrangler  npx wrangler dev, in another terminal, uses this database' : ''
  return `
Tessera runs at ${address}   (site "${demo.site}", app "${demo.app}"; Ctrl-C ends it)

  e-mail    ${admin.email}
  password  ${admin.password}
  console   ${address}/console/${wrangler}

Try it:

  TOKEN=$(curl -s ${address}/api/auth/jwt/token/ -H 'Content-Type: application/json' -d '${credentials}' | sed -E 's/.*"access":"([^"]+)".*/\\1/')
  curl -s -H "Authorization: Bearer $TOKEN" '${data}?condition=good&daily_fee__lt=5&ordering=-daily_fee&page_size=3'
  curl -s -H "Authorization: Bearer $TOKEN" ${data} -H 'Content-Type: application/json' -d '{"name": "Torque wrench", "category_id": 1, "daily_fee": 2.5}'
`
}

/** Of `npm run setup`. */
export const setupGreeting = ({ admin }: Settings, holder: string): string => `
The database runs: ${holder}. .dev.vars says where it is.

  npx wrangler dev           starts the Worker, and again after each edit
  npm run setup -- --stop    ends a database that runs in the background

  e-mail    ${admin.email}
  password  ${admin.password}
`

/** The content of the demo: an organization with one site, and the apps of the site. */
import type { DemoApp } from './app.ts'
import { company } from './company.ts'
import { desk } from './desk.ts'
import { library } from './library.ts'
import { shop } from './shop.ts'

/** The names of the demo. `app` is the one that the guides use. */
export const demo = { organization: 'Harbour Street', site: 'demo', app: library.slug }

export const demoApps: readonly DemoApp[] = [library, shop, company, desk]

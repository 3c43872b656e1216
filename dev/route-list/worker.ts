/** A Worker that answers with the rows of src/routes.json. */
import { rowsByArea } from './rows.ts'

export default { fetch: async () => Response.json(await rowsByArea()) } satisfies ExportedHandler

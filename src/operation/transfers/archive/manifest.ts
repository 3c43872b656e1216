/** The file that describes an archive, and the paths of the other files. docs/operate/tenants.md. */
import type { Members } from '../source/source.ts'

/** The content of `site.json`. */
export interface Manifest {
  format: 'tessera-site'
  version: 1
  /** The site, as the API returns it. */
  site: Members
  /** The slugs of the apps. */
  apps: readonly string[]
  /** The digests of all other files, by path. */
  files: Readonly<Record<string, string>>
}

/** The name of the file that describes an archive. */
export const manifestFile = 'site.json'
/** Secrets, one secret a line. */
export const secretsFile = 'secrets.jsonl'
/** The signing secrets and headers of functions, one function a line. */
export const functionSecretsFile = 'function-secrets.jsonl'
/** Secret types, by their slugs. */
export const typesFile = 'secret-types.json'
export const tagsFile = 'tags.json'
/** Saved questions and dashboards. An archive of an earlier version has none. */
export const questionsFile = 'questions.json'

/** Returns the path of an app's own file, with its datasources. */
export const appFile = (app: string): string => `apps/${app}/app.json`
/** Returns the path of the subscriptions of an app. */
export const subscriptionsFile = (app: string): string => `apps/${app}/subscriptions.json`
/** Returns the path of a table. */
export const tableFile = (app: string, table: string): string => `apps/${app}/tables/${table}.json`
/** Returns the path of the settings of a function. */
export const functionFile = (app: string, slug: string): string => `apps/${app}/functions/${slug}.json`
/** Returns the path of the code of a function. */
export const codeFile = (app: string, slug: string): string => `apps/${app}/functions/${slug}.js`
/** Returns the path of the data package of an app. */
export const packageFile = (app: string): string => `data/${app}/datapackage.json`
/** Returns the path of the records of a table. */
export const recordsFile = (app: string, table: string): string => `data/${app}/data/${table}.jsonl`
/** Returns the path of the edges of a table. */
export const edgesFile = (app: string, table: string): string => `data/${app}/data/${table}-edges.jsonl`

/**
 * The allowed form of a path in an archive. It keeps files inside the folder into which the archive is
 * unpacked.
 */
export const safePath = /^(?!.*(?:^|\/)[./])[\w./-]{1,400}$/

/** Returns the name to which a secret of a function is bound. Keys of secrets have no slashes. */
export const functionSecretKey = (slug: string): string => `functions/${slug}`

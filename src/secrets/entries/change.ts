/**
 * Making, changing and deleting secrets. A value is validated and encrypted by what was read before it, so that a write
 * takes two round trips; the second one finds out whether all of that still holds, and if not, everything is done anew.
 */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { signedIn } from '../../db/tenant.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import { changing, siteOf } from '../cache/changing.ts'
import { immutable, validationFailed } from '../errors.ts'
import type { Done } from '../schema.ts'
import { problemsWith } from '../types/values.ts'
import { inVault, prepare, untilItHolds } from '../vault/service.ts'
import { schemaValidationFailed, secretExists, secretNotFound } from './errors.ts'
import type { Secret, SecretChange, SecretInput } from './schema.ts'
import * as store from './store.ts'
import { openValue, placeOf, sealValue } from './values.ts'
import { asSecret } from './views.ts'

export const createSecret = (ctx: RequestContext, input: SecretInput): Promise<Secret> =>
  untilItHolds(async () => {
    const { key, app, value, tags } = input
    const needed = { type: store.selectType(input.secret_type), app: store.selectApp(app), tags: store.selectTagNames(tags) }
    const vault = await inVault(ctx, 'read', needed)
    const type = vault.results.type.first
    const inApp = vault.results.app.first
    refuseUnknown({
      secret_type: type ? [] : [`There is no secret type "${input.secret_type}".`],
      app: app === null || inApp ? [] : [`There is no app "${app}".`],
      sensitivity_level: type ? otherSensitivity(type, input) : [],
      tags: unknownTags(tags, vault.results.tags.all),
    })
    if (!type) return undefined
    refuseMisfit(type, value)
    const prepared = await prepare(ctx, vault, type.sensitivity_level !== 'public')
    const row = { id: crypto.randomUUID(), key, app_id: inApp?.id ?? null, version: 1 }
    const stored = await sealValue(ctx.config, prepared.keys, placeOf(row), value)
    const secret = { ...stored, id: row.id, key, appId: row.app_id, typeId: type.type_id, typeVersion: type.type_version, tags }
    const statements = { made: store.insertSecret(signedIn(ctx).userId, secret), secret: store.selectById(row.id) }
    const { results } = await changing(ctx, vault.site, [key], () => inVault(ctx, 'write', statements, prepared)).catch(refuseTaken(key, app))
    return results.made.first && asSecret(results.secret.one, value)
  })

/** Of the secret at exactly the level that is named: a change for one app never changes what the others read. K2. */
export const changeSecret = (ctx: RequestContext, key: string, app: string | null, change: SecretChange): Promise<Secret> =>
  untilItHolds(async () => {
    const vault = await inVault(ctx, 'read', { secret: store.selectForChange(key, app), tags: store.selectTagNames(change.tags ?? []) })
    const row = vault.results.secret.first
    if (!row) throw secretNotFound(key, app, app === null)
    // Answers name the type by its name, and what was read can be sent back. No type has the name of another's slug.
    const { secret_type: type = row.type_slug } = change
    if (type !== row.type_slug && type !== row.secret_type) throw immutable('secret_type', row.type_slug, type)
    refuseUnknown({
      app: change.app === undefined || change.app === app ? [] : [otherLevel],
      sensitivity_level: otherSensitivity(row, change),
      tags: unknownTags(change.tags ?? [], vault.results.tags.all),
    })
    if (change.value) refuseMisfit(row, change.value)

    const newKey = change.key ?? key
    const revalued = change.value !== undefined
    // A value is bound to its key: under another one it is encrypted anew.
    const value = change.value ?? (newKey === key ? undefined : await openValue(ctx.config, vault.keys, row))
    const prepared = await prepare(ctx, vault, value !== undefined && row.sensitivity_level !== 'public')
    const stored = value && (await sealValue(ctx.config, prepared.keys, placeOf({ ...row, key: newKey, version: row.version + 1 }), value))
    const update = store.updateSecret(signedIn(ctx).userId, {
      id: row.id,
      version: row.version,
      key: newKey,
      tags: change.tags ?? null,
      revalued,
      ...(stored ? { value: { ...stored, typeId: row.type_id, typeVersion: row.type_version } } : {}),
    })
    const { results, keys } = await changing(ctx, vault.site, [key, newKey], () =>
      inVault(ctx, 'write', { changed: update, secret: store.selectById(row.id) }, prepared),
    ).catch(refuseTaken(newKey, app))
    if (!results.changed.first) return undefined
    const secret = results.secret.one
    return asSecret(secret, value ?? (await openValue(ctx.config, keys, secret)))
  })

export async function deleteSecret(ctx: RequestContext, key: string, app: string | null): Promise<Done> {
  const deleted = store.deleteSecret(signedIn(ctx).userId, key, app)
  const { results } = await changing(ctx, await siteOf(ctx), [key], () => inVault(ctx, 'write', { deleted }))
  if (!results.deleted.first) throw secretNotFound(key, app, app === null)
  return { message: 'Secret deleted', detail: `The secret "${key}" has been deleted ${app === null ? 'from the site' : `from the app "${app}"`}.` }
}

/** So a secret that was read at the level of an app does not replace that of the site. */
const otherLevel = 'The level of a secret cannot be changed. The query parameter app names the one that is meant.'

function refuseUnknown(problems: Record<string, string[]>): void {
  const wrong = Object.entries(problems).filter(([, messages]) => messages.length > 0)
  if (wrong.length > 0) throw validationFailed(Object.fromEntries(wrong))
}

const otherSensitivity = ({ sensitivity_level: level }: Pick<store.SecretRow, 'sensitivity_level'>, said: SecretChange): string[] =>
  said.sensitivity_level === undefined || said.sensitivity_level === level ? [] : [`It is that of the secret type, "${level}".`]

/** K4 */
function unknownTags(names: readonly string[], known: readonly { name: string }[]): string[] {
  const there = new Set(known.map(({ name }) => name))
  return names.filter((name) => !there.has(name)).map((name) => `There is no tag "${name}".`)
}

/** Spec: Secrets, rule 4. */
function refuseMisfit(type: store.TypeOfValue, value: JsonObject): void {
  const problems = problemsWith(type.schema, value)
  if (problems) throw schemaValidationFailed(problems)
}

const refuseTaken = (key: string, app: string | null) => (error: unknown) => {
  throw isViolationOf(error, '_secrets_key_app_id_key') ? secretExists(key, app) : error
}

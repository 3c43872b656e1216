/**
 * Creates, changes and deletes secrets. The type of a value validates it, and a data key encrypts it. Both
 * must be read first, so a write takes two round trips. If they have changed before the second one, both run
 * again.
 */
import type { RequestContext } from '../../kernel/context.ts'
import type { Batch, BatchRows } from '../../kernel/db/batch.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import { immutable, secretNotFound, validationFailed } from '../errors.ts'
import { requireApp, selectApp } from '../levels.ts'
import type { Confirmation } from '../schema.ts'
import {
  inTenantWithKeys,
  type PreparedWrite,
  prepareEncryption,
  retryUntilConsistent,
  type TenantWithKeys,
  writtenRow,
} from '../tenant-keys/service.ts'
import { problemsWith } from '../types/values.ts'
import { siteSlugOf, withFence } from './cache/with-fence.ts'
import * as changes from './change-store.ts'
import { schemaValidationFailed, secretExists } from './errors.ts'
import type { Secret, SecretChange, SecretInput } from './schema.ts'
import * as store from './store.ts'
import { decryptValue, encryptValue, placeOf } from './values.ts'
import { asSecret } from './views.ts'

/**
 * Creates a secret. Throws 404 for an unknown app, and 400 for an unknown type or tag, for a value that does
 * not match the schema of its type, and for a key that is taken. K4.
 */
export const createSecret = (ctx: RequestContext, input: SecretInput): Promise<Secret> =>
  retryUntilConsistent(async () => {
    const { key, app, value, tags } = input
    const tenant = await inTenantWithKeys(ctx, 'read', {
      type: store.selectType(input.secret_type),
      app: selectApp(app),
      tags: store.selectTagNames(tags),
    })
    requireApp(app, tenant.answers.app)
    const type = tenant.answers.type.first
    const appId = tenant.answers.app.first?.id ?? null
    const problems = {
      secret_type: type ? [] : [`There is no secret type "${input.secret_type}".`],

      sensitivity_level: type ? sensitivityProblems(type, input) : [],
      tags: unknownTags(tags, tenant.answers.tags.all),
    }
    if (!type || hasProblems(problems)) throw invalidFields(problems)
    requireMatch(type, value)

    const prepared = await prepareEncryption(ctx, tenant, type.sensitivity_level !== 'public')
    const row = { id: crypto.randomUUID(), key, app_id: appId, version: 1 }
    const created = changes.insertSecret(requireCaller(ctx).userId, {
      ...(await encryptValue(ctx.config, prepared.keys, placeOf(row), value)),
      id: row.id,
      key,
      appId,
      typeId: type.type_id,
      typeVersion: type.type_version,
      tags,
    })
    const statements = { created, secret: store.selectById(row.id) }
    const { answers } = await write(ctx, tenant.siteSlug, [key], statements, prepared).catch(
      duplicateKey(key, app),
    )
    writtenRow(answers.created.first)
    return asSecret(answers.secret.one, value)
  })

/**
 * Changes the secret at exactly the named level, so that a change for one app never changes the secrets of
 * others. Throws 404 for an unknown app and if the level does not have the key, and 400 as `createSecret`
 * does, also for a value that stays, and for another type or level. K2.
 */
export const changeSecret = (
  ctx: RequestContext,
  key: string,
  app: string | null,
  change: SecretChange,
): Promise<Secret> =>
  retryUntilConsistent(async () => {
    const tenant = await inTenantWithKeys(ctx, 'read', {
      secret: store.selectForChange(key, app),
      app: selectApp(app),
      tags: store.selectTagNames(change.tags ?? []),
    })
    requireApp(app, tenant.answers.app)
    const row = tenant.answers.secret.first
    if (!row) throw secretNotFound(key, app, app === null)
    requireChangeable(row, app, change, tenant.answers.tags.all)

    const newKey = change.key ?? key
    const kept = change.value ? undefined : await decryptValue(ctx.config, tenant.keys, row)
    if (kept) requireMatch(row, kept)
    // A value is bound to its key, so a new key requires encrypting it again.
    const value = change.value ?? (newKey === key ? undefined : kept)
    const isEncrypted = value !== undefined && row.sensitivity_level !== 'public'
    const prepared = await prepareEncryption(ctx, tenant, isEncrypted)
    const place = placeOf({ ...row, key: newKey, version: row.version + 1 })
    const stored = value && (await encryptValue(ctx.config, prepared.keys, place, value))
    const changed = changes.updateSecret(requireCaller(ctx).userId, {
      id: row.id,
      version: row.version,
      key: newKey,
      tags: change.tags ?? null,
      isNewValue: change.value !== undefined,
      ...(stored ? { value: { ...stored, typeId: row.type_id, typeVersion: row.type_version } } : {}),
    })
    const statements = { changed, secret: store.selectById(row.id) }
    const { answers, keys } = await write(ctx, tenant.siteSlug, [key, newKey], statements, prepared).catch(
      duplicateKey(newKey, app),
    )
    writtenRow(answers.changed.first)
    const secret = answers.secret.one
    return asSecret(secret, value ?? (await decryptValue(ctx.config, keys, secret)))
  })

/** Deletes the secret at exactly the named level. Throws 404 for an unknown app or key. */
export async function deleteSecret(
  ctx: RequestContext,
  key: string,
  app: string | null,
): Promise<Confirmation> {
  const statements = {
    deleted: changes.deleteSecret(requireCaller(ctx).userId, key, app),
    app: selectApp(app),
  }
  const { answers } = await write(ctx, await siteSlugOf(ctx), [key], statements)
  requireApp(app, answers.app)
  if (!answers.deleted.first) throw secretNotFound(key, app, app === null)
  const level = app === null ? 'the site' : `the app "${app}"`
  return { message: 'Secret deleted', detail: `The secret "${key}" has been deleted from ${level}.` }
}

/** Runs statements that change the secrets with these keys, so that no later read finds an old value. */
const write = <Of extends Batch>(
  ctx: RequestContext,
  siteSlug: string,
  keys: readonly string[],
  statements: Of,
  prepared?: PreparedWrite,
): Promise<TenantWithKeys<BatchRows<Of>>> =>
  withFence(ctx, siteSlug, keys, () => inTenantWithKeys(ctx, 'write', statements, prepared))

/** The messages of each field. */
type Problems = Readonly<Record<string, readonly string[]>>

const hasProblems = (problems: Problems): boolean =>
  Object.values(problems).some((messages) => messages.length > 0)

const invalidFields = (problems: Problems) =>
  validationFailed(Object.fromEntries(Object.entries(problems).filter(([, messages]) => messages.length > 0)))

const levelIsFixed = 'The level of a secret cannot be changed. The query parameter `app` selects the level.'

/** Throws the 400 for a change that is not possible. */
function requireChangeable(
  row: store.SecretRow & store.TypeOfValue,
  app: string | null,
  change: SecretChange,
  knownTags: readonly { name: string }[],
): void {
  // Responses contain the name of the type, so clients may send it back. No name is the slug of another type.
  const { secret_type: type = row.type_slug } = change
  if (type !== row.type_slug && type !== row.secret_type) throw immutable('secret_type', row.type_slug, type)
  const problems = {
    // A secret that was read from the app's level must not replace that of the site.
    app: change.app === undefined || change.app === app ? [] : [levelIsFixed],
    sensitivity_level: sensitivityProblems(row, change),
    tags: unknownTags(change.tags ?? [], knownTags),
  }
  if (hasProblems(problems)) throw invalidFields(problems)
  if (change.value) requireMatch(row, change.value)
}

const sensitivityProblems = (
  { sensitivity_level: level }: Pick<store.SecretRow, 'sensitivity_level'>,
  input: Pick<SecretChange, 'sensitivity_level'>,
): string[] =>
  input.sensitivity_level === undefined || input.sensitivity_level === level
    ? []
    : [`It must be that of the secret type, "${level}".`]

/** Returns the messages for unknown tags. K4 */
function unknownTags(names: readonly string[], known: readonly { name: string }[]): string[] {
  const knownNames = new Set(known.map(({ name }) => name))
  return names.filter((name) => !knownNames.has(name)).map((name) => `There is no tag "${name}".`)
}

/** Throws the 400 for a value that does not match the schema of its type. Spec: Secrets, rule 4. */
function requireMatch(type: store.TypeOfValue, value: JsonObject): void {
  const problems = problemsWith(type.schema, value)
  if (problems) throw schemaValidationFailed(problems)
}

/** Creates a handler that throws the 400 for a taken key, and rethrows any other error. */
const duplicateKey = (key: string, app: string | null) => (error: unknown) => {
  throw isViolationOf(error, '_secrets_key_app_id_key') ? secretExists(key, app) : error
}

/** The errors of datatables. */
import { AppError, invalidFields } from '../../kernel/errors.ts'
import { limitProblems } from '../../kernel/lib/problem-list.ts'
import { withWayOut } from '../guests/planned-rules.ts'

/**
 * The 400 for a schema with problems. It names at most 100 of them. Spec: Errors, datatable schema errors.
 */
export const invalidSchema = (messages: readonly string[]) =>
  invalidFields({ json_schema: withWayOut(limitProblems(messages)) })

/** The problem of a schema whose table or edge table would get the name of another table. */
export const physicalNameTaken =
  'another datatable already has the physical name that this one or its edge table would get'

/** The 422 if the database has no trigrams, which an index of the schema needs. */
export const trigramsUnavailable = () =>
  new AppError(422, 'not_supported', {
    error: 'Trigram indexes are not available',
    detail:
      'This database does not have the extension pg_trgm, which indexes of the method "trigram" need. ' +
      'Remove these indexes from the schema, or ask the operator to install the extension.',
  })

/** The 422 if the database cannot compare plain values beside ranges, which an exclusion of the schema needs. */
export const exclusionsUnavailable = () =>
  new AppError(422, 'not_supported', {
    error: 'Exclusions are not available',
    detail:
      'This database does not have the extension btree_gist, which exclusions with fields need. ' +
      'Remove these fields from the exclusions, or ask the operator to install the extension.',
  })

/** The 400 if the app has a datatable of this name. */
export const tableExists = (name: string) =>
  invalidFields({ name: [`A datatable named "${name}" already exists in this app.`] }, 'already_exists')

/** The message for an invalid table name. D3. */
export const tableNameRule =
  'A table name begins with a lower-case letter, has up to 48 lower-case letters, digits and underscores, ' +
  'and is not "create_schema" or "stats".'

/** The 400 if the name of the datatable is invalid. */
export const invalidTableName = () => invalidFields({ name: [tableNameRule] })

/** The 400 if the app has no active datasource with this slug. */
export const unknownDatasource = (slug: string) =>
  invalidFields({ datasource: [`There is no datasource "${slug}" in this app.`] })

/** The 400 if an inactive datasource has the slug that the default datasource would get. D13. */
export const defaultDatasourceInactive = () =>
  invalidFields({
    datasource: [
      'The slug of the default datasource belongs to an inactive datasource of this app. Activate ' +
        'it, or select ' +
        'another one with ?datasource=.',
    ],
  })

/** The 422 if the datatable has a physical table. */
export const alreadyMaterialized = (name: string) =>
  new AppError(422, 'already_materialized', {
    error: 'Datatable is already materialized',
    detail: `"${name}" already has a physical table.`,
  })

/**
 * The 409 if other tables reference the datatable. `dependents` are names; in other apps `<app>/<name>`. D10.
 */
export const datatableReferenced = (name: string, dependents: readonly string[]) =>
  new AppError(409, 'still_referenced', {
    error: 'Datatable is referenced',
    detail: `"${name}" cannot be deleted while others reference it: ${dependents.join(', ')}.`,
    referenced_by: dependents,
  })

/** The 409 if rules of the app name the datatable: they would silently end, or apply to a later one. X2. */
export const datatableRuled = (name: string, rules: readonly string[]) =>
  new AppError(409, 'still_referenced', {
    error: 'Datatable is named by access rules',
    detail:
      `"${name}" cannot be deleted while rules of the app name it: ` +
      `${rules.map((rule) => JSON.stringify(rule)).join(', ')}. Take it out of their "tables" first.`,
  })

/** The 422 if a foreign key references a table without a physical table. */
export const referenceNotMaterialized = (name: string, resource: string) =>
  new AppError(422, 'not_materialized', {
    error: 'Referenced datatable is not materialized',
    detail:
      `"${name}" references "${resource}", which has no physical table yet. ` +
      'Materialize it first, or create both with create_schema/.',
  })

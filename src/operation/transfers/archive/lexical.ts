/**
 * The members of Table Schemas that describe how values are written in a file. Records have no such formats.
 */

/** Members of a schema. */
const ofSchemas = ['missingValues', 'trueValues', 'falseValues', 'decimalChar', 'groupChar', 'bareNumber']

/** Members of a schema that describe how values are written in the file. */
export const lexicalSchemaMembers: ReadonlySet<string> = new Set(ofSchemas)

/** Members of a field that describe how its values are written. */
export const lexicalFieldMembers: ReadonlySet<string> = new Set([...ofSchemas, 'delimiter'])

/** The types whose `format` describes how values are written. */
export const datedTypes: ReadonlySet<string> = new Set(['date', 'time', 'datetime'])

/** The members of Table Schemas that say how values are written in a file. Records have no such forms. */

/** Of schemas. */
const ofSchemas = ['missingValues', 'trueValues', 'falseValues', 'decimalChar', 'groupChar', 'bareNumber']

/** Members of a schema that say how values are written in the file. */
export const lexicalSchemaMembers: ReadonlySet<string> = new Set(ofSchemas)

/** Members of a field that do. */
export const lexicalFieldMembers: ReadonlySet<string> = new Set([...ofSchemas, 'delimiter'])

/** The types whose format does. */
export const datedTypes: ReadonlySet<string> = new Set(['date', 'time', 'datetime'])

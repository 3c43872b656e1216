/** The tables that the rules of an app name. X2. */

interface NamingRule {
  name: string
  /** `*` applies to all tables, and names none. */
  tables: '*' | readonly string[]
}

/** Returns the names of the rules that name a table. */
export const rulesNaming = (rules: readonly NamingRule[], table: string): string[] =>
  rules.filter(({ tables }) => tables !== '*' && tables.includes(table)).map(({ name }) => name)

/**
 * Returns the rules without the tables for which `isThere` is false, and the names that were left out. A rule
 * of which no table is left is left out, too.
 */
export function rulesOfTables<Rule extends NamingRule>(
  rules: readonly Rule[],
  isThere: (table: string) => boolean,
): { rules: Rule[]; missing: string[] } {
  const named = rules.flatMap(({ tables }) => (tables === '*' ? [] : tables))
  return {
    rules: rules
      .map((rule) => (rule.tables === '*' ? rule : { ...rule, tables: rule.tables.filter(isThere) }))
      .filter(({ tables }) => tables.length > 0),
    missing: [...new Set(named)].filter((table) => !isThere(table)),
  }
}

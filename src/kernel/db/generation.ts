/**
 * The generation of the code that makes views, functions, triggers and statistics in the schemas of sites.
 * Raise it when their text changes: the schedule then makes those of all sites again
 * (src/data/schema-changes/remake-site.ts). A test compares it with the text.
 */
export const generation = 3

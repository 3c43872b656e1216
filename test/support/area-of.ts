/** The areas of src, by which documents and comments name the callers of SQL. */

/**
 * Returns the area of a file of src: its folder in its wing. Secrets and data are areas as a whole. Other
 * files are returned unchanged.
 */
export const areaOf = (file: string): string =>
  /^src\/(?:data|secrets|\w+\/[\w-]+)(?=\/)|^src\/[\w-]+\.ts$/.exec(file)?.[0] ?? file

/** The text of a source file, for tests inside workerd, which has no files. */
declare module '*?raw' {
  const text: string
  export default text
}

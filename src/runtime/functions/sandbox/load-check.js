/**
 * The main module of an isolate that only loads the client's code: `linked.js` imports it and stops before it
 * runs.
 */
export default {
  async fetch() {
    try {
      await import('./linked.js')
    } catch (error) {
      return Response.json(error?.linked ? null : String(error?.message))
    }
  },
}

/** The environments that can be deployed, in the order in which a version reaches them. */
export const environmentNames = ['staging', 'production'] as const

/** The name of an environment of wrangler.toml: a Worker with queues and a database of its own. */
export type EnvironmentName = (typeof environmentNames)[number]

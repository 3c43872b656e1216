/** The environments that can be deployed, in the order in which a version reaches them. */
export const environmentNames = ['staging', 'production'] as const

/** The name of an environment of wrangler.toml: a Worker with queues and its own database. */
export type EnvironmentName = (typeof environmentNames)[number]

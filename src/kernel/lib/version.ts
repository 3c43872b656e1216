/** The version of the service, which is that of its packages. docs/operate/upgrade.md#versions. */
export const version = '0.2.0'

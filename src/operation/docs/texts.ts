/** The Markdown of the documentation, by its file below docs/. The texts are a part of the Worker. */

import architecture from '../../../docs/architecture.md'
import compareAccessRules from '../../../docs/compare/access-rules.md'
import compareConsole from '../../../docs/compare/console.md'
import decisionsApi from '../../../docs/decisions/api.md'
import decisionsFairness from '../../../docs/decisions/fairness.md'
import decisionsFunctionsAndEvents from '../../../docs/decisions/functions-and-events.md'
import decisionsPostgres from '../../../docs/decisions/postgres.md'
import decisionsProviders from '../../../docs/decisions/providers.md'
import decisionsQueries from '../../../docs/decisions/queries.md'
import decisionsSecrets from '../../../docs/decisions/secrets.md'
import decisionsTables from '../../../docs/decisions/tables.md'
import decisionsTenantsAndAccounts from '../../../docs/decisions/tenants-and-accounts.md'
import decisionsWritesAndGraphs from '../../../docs/decisions/writes-and-graphs.md'
import glossary from '../../../docs/glossary.md'
import guideAccessRules from '../../../docs/guide/access-rules.md'
import guideAccounts from '../../../docs/guide/accounts.md'
import guideAggregates from '../../../docs/guide/aggregates.md'
import guideAppsAndTables from '../../../docs/guide/apps-and-tables.md'
import guideCli from '../../../docs/guide/cli.md'
import guideClient from '../../../docs/guide/client.md'
import guideClients from '../../../docs/guide/clients.md'
import guideConsole from '../../../docs/guide/console.md'
import guideConventions from '../../../docs/guide/conventions.md'
import guideDeployYourApp from '../../../docs/guide/deploy-your-app.md'
import guideErrors from '../../../docs/guide/errors.md'
import guideFromPostgrest from '../../../docs/guide/from-postgrest.md'
import guideFunctionsAndEvents from '../../../docs/guide/functions-and-events.md'
import guideGraphs from '../../../docs/guide/graphs.md'
import guideInvitations from '../../../docs/guide/invitations.md'
import guideLargeTables from '../../../docs/guide/large-tables.md'
import guideLive from '../../../docs/guide/live.md'
import guideLoad from '../../../docs/guide/load.md'
import guideMcp from '../../../docs/guide/mcp.md'
import guideMongodb from '../../../docs/guide/mongodb.md'
import guideOrganizationsAndSites from '../../../docs/guide/organizations-and-sites.md'
import guideProject from '../../../docs/guide/project.md'
import guideQueries from '../../../docs/guide/queries.md'
import guideQuestions from '../../../docs/guide/questions.md'
import guideSaml from '../../../docs/guide/saml.md'
import guideSchemaChanges from '../../../docs/guide/schema-changes.md'
import guideScim from '../../../docs/guide/scim.md'
import guideSecrets from '../../../docs/guide/secrets.md'
import guideSignIn from '../../../docs/guide/sign-in.md'
import guideStart from '../../../docs/guide/start.md'
import guideTestYourApp from '../../../docs/guide/test-your-app.md'
import guideTimeTravel from '../../../docs/guide/time-travel.md'
import guideWrites from '../../../docs/guide/writes.md'
import operateAlerts from '../../../docs/operate/alerts.md'
import operateConfiguration from '../../../docs/operate/configuration.md'
import operateCosts from '../../../docs/operate/costs.md'
import operateDeploy from '../../../docs/operate/deploy.md'
import operateKeys from '../../../docs/operate/keys.md'
import operateLimits from '../../../docs/operate/limits.md'
import operateQueues from '../../../docs/operate/queues.md'
import operateQuotas from '../../../docs/operate/quotas.md'
import operateReliability from '../../../docs/operate/reliability.md'
import operateRestore from '../../../docs/operate/restore.md'
import operateRunbooks from '../../../docs/operate/runbooks.md'
import operateTenants from '../../../docs/operate/tenants.md'
import operateUpgrade from '../../../docs/operate/upgrade.md'
import operateWatching from '../../../docs/operate/watching.md'
import performance from '../../../docs/performance.md'
import contents from '../../../docs/README.md'
import security from '../../../docs/security.md'
import specification from '../../../docs/specification.md'

/** The Markdown of each page, by its path. */
export const texts: ReadonlyMap<string, string> = new Map([
  ['README.md', contents],
  ['architecture.md', architecture],
  ['compare/access-rules.md', compareAccessRules],
  ['compare/console.md', compareConsole],
  ['decisions/api.md', decisionsApi],
  ['decisions/fairness.md', decisionsFairness],
  ['decisions/functions-and-events.md', decisionsFunctionsAndEvents],
  ['decisions/postgres.md', decisionsPostgres],
  ['decisions/providers.md', decisionsProviders],
  ['decisions/queries.md', decisionsQueries],
  ['decisions/secrets.md', decisionsSecrets],
  ['decisions/tables.md', decisionsTables],
  ['decisions/tenants-and-accounts.md', decisionsTenantsAndAccounts],
  ['decisions/writes-and-graphs.md', decisionsWritesAndGraphs],
  ['glossary.md', glossary],
  ['guide/accounts.md', guideAccounts],
  ['guide/aggregates.md', guideAggregates],
  ['guide/apps-and-tables.md', guideAppsAndTables],
  ['guide/cli.md', guideCli],
  ['guide/console.md', guideConsole],
  ['guide/client.md', guideClient],
  ['guide/clients.md', guideClients],
  ['guide/conventions.md', guideConventions],
  ['guide/errors.md', guideErrors],
  ['guide/from-postgrest.md', guideFromPostgrest],
  ['guide/deploy-your-app.md', guideDeployYourApp],
  ['guide/functions-and-events.md', guideFunctionsAndEvents],
  ['guide/graphs.md', guideGraphs],
  ['guide/invitations.md', guideInvitations],
  ['guide/live.md', guideLive],
  ['guide/large-tables.md', guideLargeTables],
  ['guide/load.md', guideLoad],
  ['guide/mcp.md', guideMcp],
  ['guide/mongodb.md', guideMongodb],
  ['guide/organizations-and-sites.md', guideOrganizationsAndSites],
  ['guide/project.md', guideProject],
  ['guide/queries.md', guideQueries],
  ['guide/questions.md', guideQuestions],
  ['guide/saml.md', guideSaml],
  ['guide/schema-changes.md', guideSchemaChanges],
  ['guide/scim.md', guideScim],
  ['guide/secrets.md', guideSecrets],
  ['guide/sign-in.md', guideSignIn],
  ['guide/start.md', guideStart],
  ['guide/access-rules.md', guideAccessRules],
  ['guide/test-your-app.md', guideTestYourApp],
  ['guide/time-travel.md', guideTimeTravel],
  ['guide/writes.md', guideWrites],
  ['operate/alerts.md', operateAlerts],
  ['operate/configuration.md', operateConfiguration],
  ['operate/costs.md', operateCosts],
  ['operate/deploy.md', operateDeploy],
  ['operate/keys.md', operateKeys],
  ['operate/limits.md', operateLimits],
  ['operate/queues.md', operateQueues],
  ['operate/quotas.md', operateQuotas],
  ['operate/reliability.md', operateReliability],
  ['operate/restore.md', operateRestore],
  ['operate/tenants.md', operateTenants],
  ['operate/watching.md', operateWatching],
  ['operate/runbooks.md', operateRunbooks],
  ['operate/upgrade.md', operateUpgrade],
  ['performance.md', performance],
  ['security.md', security],
  ['specification.md', specification],
])

/** Settings and tools on pages: found by their own name, such as the disk quota on the page of the tile cache. */
import { t } from '../../words/words.ts';

interface Topics {
  /** The address of the page, with the state that shows the topics. */
  readonly address: string;
  readonly names: readonly string[];
}

/** A page with settings is one row. Topics of pages that the user cannot open are not offered. */
export function listTopics(): readonly Topics[] {
  const { account, backupPages, configuration, moveInPages, publish, security, status, tilePages } = t();
  const { keys, rotation } = security;
  return [
    { address: 'security/access', names: [security.catalogMode, security.ruleTables.layers.title] },
    { address: 'security/access?tab=data', names: [security.dataRules] },
    { address: 'security/access?tab=services', names: [security.ruleTables.services.title] },
    { address: 'security/access?tab=rest', names: [security.ruleTables.rest.title] },
    { address: 'security/groups', names: [security.userServices] },
    { address: 'security/sign-in', names: [security.providerOrder, security.testLogin, security.chains] },
    { address: 'security/url-checks', names: [security.testUrl, security.samples] },
    {
      address: 'security/keystore',
      names: [security.keystorePassword, keys.title, rotation.title, ...Object.values(rotation.names)],
    },
    { address: 'operations/status', names: [status.checks, status.pools, status.nodes, status.versions] },
    { address: 'operations/configuration', names: [configuration.export, configuration.mode] },
    { address: 'operations/tiles', names: [tilePages.quota, tilePages.limit, tilePages.jobs, tilePages.gridSets] },
    { address: 'operations/backups', names: [backupPages.scheduled, backupPages.download] },
    { address: 'operations/move-in', names: [moveInPages.password, moveInPages.addUrlChecks] },
    { address: 'workspaces', names: [publish.isDefault, publish.namespace, publish.isolated] },
    { address: 'me', names: [security.changePassword, account.theme, account.language] },
  ];
}

/** Files whose content the target has no equivalent for, each with its own code in the report. */
import { pictureSld } from '../styles.ts';
import {
  coverageStoreXml,
  type DirectoryFiles,
  dataStoreXml,
  entries,
  layerXml,
  resourceXml,
  styleId,
  styleXml,
  workspaceFiles,
  writeXml,
} from './documents.ts';
import { DOCTYPE_XML } from './faults.ts';

const WORKSPACE = 'rare';
const HOME = `workspaces/${WORKSPACE}`;

export function createRareFiles(): DirectoryFiles {
  return {
    ...workspaceFiles(WORKSPACE),
    ...workspaceFiles('rarest', { uri: `http://${WORKSPACE}.example/features` }),
    ...createRareStores(),
    ...createRareStyles(),
    ...createRareAccounts(),
    [`${HOME}/unused.ftl`]: '${type.name}',
    'gwc/geowebcache-diskquota.xml': writeXml([
      'gwcQuotaConfiguration',
      [
        ['enabled', true],
        [
          'globalQuota',
          [
            ['value', 5],
            ['units', 'GiB'],
          ],
        ],
      ],
    ]),
    'wfs/query/oldRoads.xml': writeXml([
      'StoredQueryDescription',
      [['QueryExpressionText', '', { language: 'urn:example:query', returnFeatureTypes: '' }]],
      { id: 'oldRoads' },
    ]),
  };
}

function createRareStores(): DirectoryFiles {
  const store = dataStoreXml({ workspace: WORKSPACE, name: 'twice', parameters: { url: 'file:data/rare.shp' } });
  const coverage = (name: string, further: Parameters<typeof resourceXml>[0]['further']) =>
    resourceXml({ root: 'coverage', workspace: WORKSPACE, store: 'image', name, ...(further && { further }) });
  return {
    [`${HOME}/one/datastore.xml`]: store,
    [`${HOME}/two/datastore.xml`]: store,
    [`${HOME}/image/coveragestore.xml`]: coverageStoreXml(WORKSPACE, 'image', 'GeoTIFF', 'file:data/rare.tif'),
    [`${HOME}/image/view/coverage.xml`]: coverage('view', [entries('metadata', { COVERAGE_VIEW: 'bands' })]),
    [`${HOME}/one/roads/featuretype.xml`]: resourceXml({
      workspace: WORKSPACE,
      store: 'twice',
      name: 'roads',
      further: [['numDecimals', 'many']],
    }),
    [`${HOME}/one/roads/layer.xml`]: layerXml({ workspace: WORKSPACE, name: 'roads' }),
  };
}

function createRareStyles(): DirectoryFiles {
  const svg = (doctype: string) =>
    `<!DOCTYPE svg [${doctype}]>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>&t;</title></svg>`;
  return {
    'styles/inner.xml': styleXml({ name: 'inner' }),
    'styles/inner.sld': pictureSld('inner', 'inner.svg'),
    'styles/inner.svg': svg('<!ENTITY t "Inner">'),
    'styles/outer.xml': styleXml({ name: 'outer' }),
    'styles/outer.sld': pictureSld('outer', 'outer.svg'),
    'styles/outer.svg': svg('<!ENTITY t SYSTEM "file:///etc/passwd">'),
    // The id of another style.
    'styles/same.xml': styleXml({ name: 'same', filename: 'inner.sld' }).replace(styleId('same'), styleId('inner')),
    'styles/malformed.xml': '<style><name>malformed',
    'styles/declared.xml': DOCTYPE_XML,
    'styles/long.xml': Buffer.alloc(10_485_761, ' '),
  };
}

function createRareAccounts(): DirectoryFiles {
  const properties = [['property', 'x', { name: 'phone' }]] as const;
  return {
    'security/usergroup/others/config.xml': writeXml([
      'org.geoserver.security.xml.XMLUserGroupServiceConfig',
      [
        ['name', 'others'],
        ['className', 'org.geoserver.security.xml.XMLUserGroupService'],
        ['fileName', 'users.xml'],
      ],
    ]),
    'security/usergroup/others/users.xml': writeXml([
      'userRegistry',
      [['users', [['user', properties, { enabled: 'true', name: 'ines', password: 'plain:a password' }]]]],
    ]),
    'security/role/people/config.xml': writeXml([
      'org.geoserver.security.jdbc.config.JDBCRoleServiceConfig',
      [
        ['name', 'people'],
        ['className', 'org.geoserver.security.jdbc.JDBCRoleService'],
      ],
    ]),
  };
}

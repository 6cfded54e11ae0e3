/** The security of a data directory: users with every kind of password, roles, rules, providers and filters. */
import { type DirectoryFiles, type Element, writeXml } from './documents.ts';
import { digestPassword, encryptStrongly, encryptWeakly, writeKeystore } from './java-keystore.ts';

/** No report, plan, log or archive may contain a password with this word. */
export const CANARY = 'canary-7f3a';

export const MASTER_PASSWORD = 'geoserver';

const CONFIGURATION_KEY = 'a key of the configuration';
const USER_KEY = 'a key of users';

/** A password of a store that is encrypted with the key of the configuration. */
export const storedPassword = encryptWeakly(`${CANARY} store`, CONFIGURATION_KEY);

const user = (name: string, password: string, enabled = true): Element => [
  'user',
  '',
  { enabled: String(enabled), name, password },
];

export function createSecurityFiles(masterPassword = MASTER_PASSWORD): DirectoryFiles {
  return {
    ...createUserFiles(),
    ...createRoleFiles(),
    ...createProviderFiles(),
    ...createRuleFiles(),
    ...createKeystoreFiles(masterPassword),
  };
}

function createKeystoreFiles(masterPassword: string): DirectoryFiles {
  const keys = { 'config:password:key': CONFIGURATION_KEY, 'ug:default:key': USER_KEY };
  return { 'security/geoserver.jceks': writeKeystore(keys, masterPassword) };
}

function createUserFiles(): DirectoryFiles {
  return {
    'security/usergroup/default/config.xml': writeXml([
      'org.geoserver.security.xml.XMLUserGroupServiceConfig',
      [
        ['id', '1'],
        ['name', 'default'],
        ['className', 'org.geoserver.security.xml.XMLUserGroupService'],
        ['fileName', 'users.xml'],
        ['passwordEncoderName', 'digestPasswordEncoder'],
        ['passwordPolicyName', 'strict'],
      ],
    ]),
    'security/usergroup/default/users.xml': writeXml([
      'userRegistry',
      [
        [
          'users',
          [
            user('admin', 'plain:geoserver'),
            user('paula', `plain:${CANARY} plain`),
            user('wim', encryptWeakly(`${CANARY} weak`, USER_KEY)),
            user('stella', encryptStrongly(`${CANARY} strong`, USER_KEY)),
            user('dora', digestPassword(`${CANARY} digest`)),
            user('emil', 'empty:'),
            user('otto', `plain:${CANARY} off`, false),
            user('rudi', 'crypt1:AAAAAAAAAAAAAAAA'),
          ],
        ],
        [
          'groups',
          [
            [
              'group',
              [
                ['member', '', { username: 'paula' }],
                ['member', '', { username: 'admin' }],
              ],
              { name: 'crew', enabled: 'true' },
            ],
            ['group', [['member', '', { username: 'wim' }]], { name: 'former', enabled: 'false' }],
          ],
        ],
      ],
      { version: '1.0', xmlns: 'http://www.geoserver.org/security/users' },
    ]),
    'security/usergroup/people/config.xml': writeXml([
      'org.geoserver.security.jdbc.config.JDBCUserGroupServiceConfig',
      [
        ['name', 'people'],
        ['className', 'org.geoserver.security.jdbc.JDBCUserGroupService'],
        ['password', `plain:${CANARY} jdbc`],
      ],
    ]),
  };
}

function createRoleFiles(): DirectoryFiles {
  const role = (id: string, parentID?: string): Element => [
    'role',
    '',
    { id, ...(parentID === undefined ? {} : { parentID }) },
  ];
  const granted = (roleID: string): Element => ['roleRef', '', { roleID }];
  return {
    'security/role/default/config.xml': writeXml([
      'org.geoserver.security.xml.XMLRoleServiceConfig',
      [
        ['name', 'default'],
        ['className', 'org.geoserver.security.xml.XMLRoleService'],
        ['fileName', 'roles.xml'],
        ['adminRoleName', 'BOSS'],
        ['groupAdminRoleName', 'GROUP_BOSS'],
      ],
    ]),
    'security/role/default/roles.xml': writeXml([
      'roleRegistry',
      [
        ['roleList', [role('BOSS'), role('GROUP_BOSS'), role('EDITOR', 'READER'), role('READER')]],
        [
          'userList',
          [
            ['userRoles', [granted('BOSS')], { username: 'admin' }],
            ['userRoles', [granted('BOSS')], { username: 'paula' }],
            ['userRoles', [granted('EDITOR')], { username: 'wim' }],
          ],
        ],
        ['groupList', [['groupRoles', [granted('READER')], { groupname: 'crew' }]]],
      ],
      { version: '1.0', xmlns: 'http://www.geoserver.org/security/roles' },
    ]),
  };
}

function createProviderFiles(): DirectoryFiles {
  return {
    'security/config.xml': writeXml([
      'security',
      [
        ['roleServiceName', 'default'],
        [
          'authProviderNames',
          [
            ['string', 'default'],
            ['string', 'directory'],
            ['string', 'database'],
          ],
        ],
        [
          'filterChain',
          [
            [
              'filters',
              [
                ['filter', 'basic'],
                ['filter', 'badge'],
                ['filter', 'anonymous'],
              ],
              { name: 'web' },
            ],
          ],
        ],
      ],
    ]),
    'security/auth/default/config.xml': writeXml([
      'org.geoserver.security.config.UsernamePasswordAuthenticationProviderConfig',
      [
        ['name', 'default'],
        ['className', 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider'],
        ['userGroupServiceName', 'default'],
      ],
    ]),
    'security/auth/directory/config.xml': writeXml([
      'org.geoserver.security.ldap.LDAPSecurityServiceConfig',
      [
        ['name', 'directory'],
        ['className', 'org.geoserver.security.ldap.LDAPAuthenticationProvider'],
        ['serverURL', 'ldap://127.0.0.1:1/dc=acme'],
        ['userDnPattern', 'uid={0},ou=people'],
        ['useTLS', false],
      ],
    ]),
    'security/auth/database/config.xml': writeXml([
      'org.geoserver.security.jdbc.config.JDBCConnectAuthProviderConfig',
      [
        ['name', 'database'],
        ['className', 'org.geoserver.security.jdbc.JDBCConnectAuthProvider'],
      ],
    ]),
    'security/filter/basic/config.xml': '<basic/>',
    'security/filter/badge/config.xml': '<badge/>',
    'security/filter/spare/config.xml': '<spare/>',
    'security/pwpolicy/default/config.xml': '<policy/>',
    'security/masterpw.xml': '<masterPassword/>',
  };
}

function createRuleFiles(): DirectoryFiles {
  return {
    'security/layers.properties': [
      '# Access to layers',
      'mode=MIXED',
      '*.*.r=*',
      'acme.towns.w=BOSS,EDITOR',
      'side\\\\.car.*.r=READER,UNKNOWN',
      'nonsense=EDITOR',
    ].join('\n'),
    'security/services.properties': 'wfs.Transaction=EDITOR\nwcs=READER\n',
    'security/rest.properties': '/rest/styles/**;GET,PUT=EDITOR\n/**;POST,PUT=*\n',
  };
}

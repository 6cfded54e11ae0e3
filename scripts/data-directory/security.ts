/** Users and permissions, every type of secret, and revoked permissions. */
import { credentials, fillCredentials, secrets } from './credentials.ts';
import { part, type Rest } from './rest.ts';

const users = '/security/usergroup';
const providers = '/security/authproviders';
const passwordClass = 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider';
const ldapClass = 'org.geoserver.security.auth.LdapAuthenticationProvider';
const serviceClass = 'org.geoserver.security.xml.XMLUserGroupService';

export async function fillUsers({ send, sendAs }: Rest): Promise<void> {
  for (const name of ['corp', 'brief']) {
    await send('POST', '/security/usergroupservices', JSON.stringify({ name, className: serviceClass }));
  }
  await send('DELETE', '/security/usergroupservices/brief');
  await send('POST', '/security/self/tokens', '{"token":{"name":"sample","scopes":{"services":["wms"]}}}');

  for (const name of ['ann', 'bob', 'Zoë']) {
    await send('POST', `${users}/users`, JSON.stringify({ userName: name, password: credentials[name] }));
  }
  await send('POST', `${users}/users`, JSON.stringify({ userName: 'fay', password: fillCredentials['fay'] }));
  await sendAs('fay', 'PUT', '/security/self/password', JSON.stringify({ newPassword: credentials['fay'] }));
  await send('POST', `${users}/users`, '{"userName":"carl","password":"the password of carl","enabled":false}');
  await send('POST', `${users}/users`, '{"userName":"dora"}');
  await send('POST', `${users}/users`, '{"userName":"eve","password":"the password of eve"}');
  await send('DELETE', `${users}/user/eve`);
  await send('POST', `${users}/service/corp/users`, JSON.stringify({ userName: 'gus', password: credentials['gus'] }));

  for (const name of ['editors', 'Gäste', 'passing']) await send('POST', `${users}/group/${part(name)}`);
  await send('DELETE', `${users}/group/passing`);
  await send('POST', `${users}/user/ann/group/editors`);
  await send('POST', `${users}/user/${part('Zoë')}/group/${part('Gäste')}`);
  await send('POST', `${users}/service/corp/group/staff`);
  await send('POST', `${users}/service/corp/user/gus/group/staff`);

  for (const name of ['EDITOR', 'GUEST', 'PASSING']) await send('POST', `/security/roles/role/${name}`);
  await send('DELETE', '/security/roles/role/PASSING');
  await send('POST', '/security/roles/role/EDITOR/group/editors');
  await send('POST', `/security/roles/role/GUEST/group/${part('Gäste')}`);
  await send('POST', '/security/roles/role/GUEST/user/fay');
  await send('POST', '/security/roles/role/EDITOR/group/staff');
  await send('POST', '/security/roles/role/ADMIN/user/bob');
}

export async function fillProviders({ send }: Rest): Promise<void> {
  const corp = { name: 'corp', className: passwordClass, userGroupServiceName: 'corp' };
  const directory = {
    name: 'directory',
    className: ldapClass,
    serverURL: 'ldap://127.0.0.1:1/dc=acme,dc=org',
    groupSearchBase: 'ou=groups',
    groupSearchFilter: '(member={0})',
    useTLS: false,
    adminGroup: 'chiefs',
    userFilter: '(uid={0})',
    user: 'cn=reader,dc=acme,dc=org',
    password: secrets.ldap,
  };
  const spare = { name: 'spare', className: ldapClass, serverURL: 'ldaps://spare.example.com/', useTLS: false };
  const former = { name: 'former', className: passwordClass };
  for (const provider of [corp, directory, spare, former]) await send('POST', providers, JSON.stringify(provider));
  await send('DELETE', `${providers}/former`);
  // `spare` is disabled because it is not listed.
  await send('PUT', `${providers}/order`, '["corp","default","directory"]');
}

/** Changed midway: some secrets were encrypted under the first keystore password, the others follow later. */
export async function changeKeystorePassword({ send, json }: Rest): Promise<void> {
  const { oldMasterPassword } = (await json('/security/masterpw.json')) as { readonly oldMasterPassword: string };
  await send('PUT', '/security/masterpw', JSON.stringify({ oldMasterPassword, newMasterPassword: secrets.keystore }));
}

export async function fillRules({ send }: Rest): Promise<void> {
  const layers = { 'acme.*.a': 'EDITOR', 'acme.places.r': 'GUEST', 'acme.places.w': 'EDITOR', 'my\\.ws.*.r': 'GUEST' };
  await send('POST', '/security/acl/layers', JSON.stringify({ ...layers, 'passing.*.r': 'GUEST' }));
  await send('PUT', '/security/acl/layers', '{"acme.places.r":"GUEST,EDITOR"}');
  await send('DELETE', '/security/acl/layers/passing.*.r');
  await send(
    'POST',
    '/security/acl/services',
    '{"wfs.GetFeature":"EDITOR","wms.*":"GUEST","wfs.Transaction":"EDITOR"}',
  );
  await send('DELETE', '/security/acl/services/wms.*');
  await send('POST', '/security/acl/rest', '{"/rest/urlchecks/**:GET":"EDITOR","/rest/about/**:GET":"GUEST"}');
  await send('PUT', '/security/acl/rest', '{"/rest/about/**:GET":"GUEST,EDITOR"}');
  const dataRule = { name: 'staff', layer: 'acme:places', roles: ['EDITOR'], attributes: { '*': 'read' } };
  await send('POST', '/security/acl/data', JSON.stringify({ dataRule }));
  await send('PUT', '/security/acl/catalog', '{"mode":"MIXED"}');
  await send('PUT', '/security/acl/catalog', '{"mode":"CHALLENGE"}');
}

export async function fillUrlChecks({ send }: Rest): Promise<void> {
  const checks = [
    { name: 'icons', regex: '^https://icons\\.example\\.com/.*$', enabled: true, description: 'Pictures of styles' },
    { name: 'for later', regex: '^https://data\\.example\\.com/.*$' },
    { name: 'passing', regex: '^https://passing\\.example\\.com/.*$' },
  ];
  for (const check of checks) await send('POST', '/urlchecks', JSON.stringify(check));
  await send('PUT', '/urlchecks/for%20later', '{"regexUrlCheck":{"name":"später"}}');
  await send('DELETE', '/urlchecks/passing');
}

import { describe, expect, it } from 'vitest';
import {
  expectError,
  inJson,
  inXml,
  ldapClass,
  passwordClass,
  passwordConfig,
} from '../../../test/support/auth-providers.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

describe('provider document forms', () => {
  const server = useTestServer();
  const fields = { className: passwordClass };

  it.each([
    ['bare', (name: string) => ({ name, ...fields })],
    ['in an envelope', (name: string) => ({ authprovider: { name, ...fields } })],
    ['in a list of one', (name: string) => ({ authproviders: [{ name, ...fields }] })],
    ['under its configuration class', (name: string) => ({ [passwordConfig]: { name, ...fields } })],
    ['under its class', (name: string) => ({ [passwordClass]: { name, ...fields } })],
    ['under a class in an envelope', (name: string) => ({ authprovider: { [passwordConfig]: { name, ...fields } } })],
    ['as in our compatible list', (name: string) => ({ authproviders: { [passwordConfig]: { name, ...fields } } })],
    [
      'with its configuration class as a field',
      (name: string) => ({ name, ...fields, configClassName: passwordConfig }),
    ],
  ])('accepts in JSON: %s', async (how, body) => {
    const name = how.replaceAll(' ', '-');

    const reply = await server.post('/security/authproviders', JSON.stringify(body(name)));

    expect(reply.status).toBe(201);
    expect(reply.json()).toEqual({ id: expect.any(String), name, className: passwordClass });
    expect((await server.get(`/security/authproviders/${name}.xml`)).text).toMatch(new RegExp(`^<${passwordConfig}>`));
  });

  it('accepts XML inside the list element or in a plain element', async () => {
    expect((await server.post('/security/authproviders', `<authproviders>${inXml('l')}</authproviders>`)).status).toBe(
      201,
    );
    const plain = `<authprovider><name>p</name><className>${passwordClass}</className></authprovider>`;
    expect((await server.post('/security/authproviders', plain, { type: 'text/xml' })).status).toBe(201);
    expect((await server.get('/security/authproviders/p.xml')).text).toContain(`<${passwordConfig}>`);
  });

  it.each([
    ['white space', (name: string) => `\n    ${name}\t\r\n  `],
    ['comments', (name: string) => `<!-- which --> ${name}<!-- that one -->`],
    ['a comment in the middle', (name: string) => name.replace('.auth', '<!-- here -->.auth')],
    ['CDATA', (name: string) => `\n  <![CDATA[${name}]]>\n`],
    ['CDATA with white space and a part outside', (name: string) => ` <![CDATA[ org.]]>${name.slice(4)} <!-- x --> `],
  ])('accepts XML with %s around the class', async (how, write) => {
    const name = how.replaceAll(' ', '-');
    const className = `<className>${write(passwordClass)}</className>`;
    const path = `/security/authproviders/${name}`;

    for (const root of [passwordConfig, 'authprovider']) {
      const body = `<${root}>\n<name>${name}</name>\n${className}\n</${root}>`;
      expect((await server.post('/security/authproviders', body)).status).toBe(201);
      expect((await server.get(`${path}.json`)).json()).toMatchObject({ className: passwordClass });
      expect((await server.put(path, body)).status).toBe(200);
      expect((await server.delete(path)).status).toBe(200);
    }
  });

  it('rejects white space inside a class and a class of white space only', async () => {
    for (const className of [passwordClass.replace('.auth', ' .auth'), ' \n ', '<![CDATA[ ]]>']) {
      const body = `<authprovider><name>odd</name><className>${className}</className></authprovider>`;
      expect((await server.post('/security/authproviders', body)).status).toBe(400);
    }
  });

  it.each([
    [
      'org.acme.security.auth.UsernamePasswordAuthenticationProvider',
      'org.acme.security.config.UsernamePasswordAuthenticationProviderConfig',
    ],
    [
      'org.vendor.security.auth.LdapAuthenticationProvider',
      'org.vendor.security.config.LdapAuthenticationProviderConfig',
    ],
    ['org.geoserver.security.ldap.LDAPAuthenticationProvider', 'org.geoserver.security.ldap.LDAPSecurityServiceConfig'],
  ])('keeps the vendor of %s', async (className, config) => {
    const name = `v-${className.length}`;
    const created = await server.post(
      '/security/authproviders',
      `<${config}><name>${name}</name><className>${className}</className></${config}>`,
    );

    expect(created.status).toBe(201);
    expect(created.text).toContain(`<${config}>`);
    expect((await server.get(`/security/authproviders/${name}.json`)).json()).toMatchObject({ className });
    const again = await server.post('/security/authproviders', JSON.stringify({ name: `${name}-j`, className }));
    expect(again.status).toBe(201);
    expect((await server.get(`/security/authproviders/${name}-j.xml`)).text).toContain(`<${config}>`);
  });

  it('accepts an LDAP provider with all settings and returns all but the password', async () => {
    const settings = {
      serverURL: 'ldap://ldap.acme.org:389/dc=acme,dc=org',
      groupSearchBase: 'ou=groups',
      groupSearchFilter: '(member={0})',
      useTLS: true,
      useNestedParentGroups: true,
      maxGroupSearchLevel: 5,
      nestedGroupSearchFilter: 'member={0}',
      bindBeforeGroupSearch: false,
      adminGroup: 'chiefs',
      groupAdminGroup: 'vice-chiefs',
      rolePrefix: '',
      convertToUpperCase: false,
      userDnPattern: 'uid={0},ou=people',
      userFilter: '(&(objectClass=person)(uid={0}))',
      userFormat: '{0}@acme.org',
      user: 'cn=reader,dc=acme,dc=org',
    };

    const created = await server.post(
      '/security/authproviders',
      inJson('full', { className: ldapClass, ...settings, password: 'canary' }),
    );

    const shown = { id: expect.any(String), name: 'full', className: ldapClass, ...settings };
    expect(created.json()).toEqual(shown);
    const read = await server.get('/security/authproviders/full.xml');
    expect(read.text).not.toContain('canary');
    await server.put('/security/authproviders/full', read.text);
    expect((await server.get('/security/authproviders/full.json')).json()).toEqual(shown);
  });

  it.each([
    ['serverURL', 'http://acme.org', /ldap:/],
    ['serverURL', 'ldap://ann:secret@acme.org', /ldap:/],
    ['userDnPattern', 'uid=ann,ou=people', /\{0\}/],
    ['userFilter', '(uid=ann)', /\{0\}/],
    ['userFilter', '(uid={0}', /filter/],
    ['groupSearchFilter', '(((', /\{0\}/],
    ['maxGroupSearchLevel', 0, /maxGroupSearchLevel/],
    ['maxGroupSearchLevel', 'many', /maxGroupSearchLevel/],
    ['useTLS', 'perhaps', /useTLS/],
  ])('rejects an LDAP provider with %s %j', async (member, value, message) => {
    const body = inJson('bad', { className: ldapClass, [member]: value });

    await expectError((e) => server.post(`/security/authproviders${e}`, body), 400, message);
  });

  it('accepts an LDAP provider without settings', async () => {
    expect((await server.post('/security/authproviders', inJson('none', { className: ldapClass }))).status).toBe(201);
  });
});

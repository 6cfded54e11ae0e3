import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const path = '/security/usergroupservices';
const base = `http://localhost:80/geoserver/rest${path}`;
const className = 'org.geoserver.security.xml.XMLUserGroupService';
const config = `${className}Config`;
const xml = (name: string) => `<${config}><name>${name}</name><className>${className}</className></${config}>`;

describe('user/group services', () => {
  const server = useTestServer();

  it('initially contain the default service', async () => {
    expect((await server.get(`${path}.json`)).json()).toEqual({
      userGroupServices: { userGroupService: [{ name: 'default', href: `${base}/default.json` }] },
    });
    expect((await server.get(`${path}/default.json`)).json()).toEqual({
      id: expect.any(String),
      name: 'default',
      className,
    });
    expect((await server.get(`${path}/default`)).text).toMatch(new RegExp(`^<${config}>`));
  });

  it('are created in either format, once', async () => {
    const reply = await server.post(path, xml('corp'));

    expect(reply.status).toBe(201);
    expect(reply.headers['location']).toBe(`${base}/corp`);
    expect(reply.text).toContain('<name>corp</name>');
    expect((await server.post(path, JSON.stringify({ [config]: { name: 'corp-2', className } }))).status).toBe(201);
    expect(await server.post(path, JSON.stringify({ name: 'corp', className }))).toMatchObject({
      status: 409,
      text: JSON.stringify({ status: 409, message: "A user/group service named 'corp' already exists." }),
    });
  });

  it.each([
    ['another class', { name: 'x', className: 'org.geoserver.security.jdbc.JDBCUserGroupService' }],
    ['no class', { name: 'x' }],
    ['no name', { className }],
    ['an invalid name', { name: 'a/b', className }],
  ])('are rejected with %s', async (_what, body) => {
    expect((await server.post(path, JSON.stringify(body))).status).toBe(400);
  });

  it('can be confirmed and not changed', async () => {
    await server.post(path, xml('fixed'));

    expect((await server.put(`${path}/fixed`, xml('fixed'))).status).toBe(200);
    expect((await server.put(`${path}/fixed`, xml('other'))).status).toBe(400);
    expect((await server.put(`${path}/none`, xml('none'))).status).toBe(404);
  });

  it('are deleted with their users, except the default service', async () => {
    await server.post(path, xml('brief'));
    await server.post('/security/usergroup/service/brief/users', '{"userName":"ann","password":"p"}');

    expect((await server.delete(`${path}/brief`)).status).toBe(200);
    expect((await server.get(`${path}/brief`)).status).toBe(404);
    expect((await server.delete(`${path}/brief`)).status).toBe(404);
    expect((await server.get('/security/usergroup/service/brief/users')).status).toBe(404);
    expect((await server.delete(`${path}/default`)).status).toBe(403);
  });
});

/** Users for tests without administrator rights. */
import type { Reply, TestServer } from './test-server.ts';

/** Creates a user with these roles; returns the credentials for `as`. */
export async function addUser(server: TestServer, name: string, ...roles: readonly string[]): Promise<string> {
  const password = `the password of ${name}`;
  expectSuccess(
    await server.post(
      '/security/usergroup/users',
      JSON.stringify({ user: { userName: name, password, enabled: true } }),
    ),
  );
  for (const role of roles) {
    const created = await server.request('POST', `/security/roles/role/${role}`);
    if (created.status !== 201 && !/exist/.test(created.text)) {
      throw new Error(`The role ${role} cannot be made: ${created.status} ${created.text}`);
    }
    expectSuccess(await server.request('POST', `/security/roles/role/${role}/user/${name}`));
  }
  return `${name}:${password}`;
}

function expectSuccess(reply: Reply): void {
  if (reply.status >= 300) {
    throw new Error(`A user cannot be made: ${reply.status} ${reply.text}`);
  }
}

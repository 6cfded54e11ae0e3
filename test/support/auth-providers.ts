/** Bodies and expectations shared by the tests of authentication providers. */
import { expect } from 'vitest';
import type { Reply, TestServer } from './test-server.ts';

export const base = 'http://localhost:80/geoserver/rest/security/authproviders';
export const passwordClass = 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider';
export const passwordConfig = 'org.geoserver.security.config.UsernamePasswordAuthenticationProviderConfig';
export const ldapClass = 'org.geoserver.security.auth.LdapAuthenticationProvider';

export const inXml = (name: string, fields = `<className>${passwordClass}</className>`) =>
  `<${passwordConfig}><name>${name}</name>${fields}</${passwordConfig}>`;
export const inJson = (name: string, fields: object = { className: passwordClass }) =>
  JSON.stringify({ name, ...fields });

/** A create in each format, so that every rule is tested in both. */
export const creates = [['XML', inXml] as const, ['JSON', (name: string) => inJson(name)] as const];

export async function enabledNames(server: TestServer): Promise<readonly string[]> {
  const { authproviders } = (await server.get('/security/authproviders.json')).json() as {
    authproviders: { name: string }[];
  };
  return authproviders.map(({ name }) => name);
}

/** The two fields, in either format. */
export function readError(reply: Reply): { status: number; message: string } {
  if (reply.headers['content-type'] === 'application/json') {
    return reply.json() as { status: number; message: string };
  }
  expect(reply.headers['content-type']).toBe('application/xml');
  const found =
    /^<ErrorResponse>\n {2}<status>(\d+)<\/status>\n {2}<message>(.+)<\/message>\n<\/ErrorResponse>\n$/.exec(
      reply.text,
    );
  expect(found).not.toBeNull();
  return { status: Number(found?.[1]), message: found?.[2] ?? '' };
}

/** Requests both formats by extension and expects the same two fields. */
export async function expectError(
  ask: (extension: string) => Promise<Reply>,
  status: number,
  message: RegExp,
): Promise<void> {
  for (const extension of ['.xml', '.json']) {
    const reply = await ask(extension);

    expect(reply.status).toBe(status);
    expect(readError(reply)).toEqual({ status, message: expect.stringMatching(message) });
  }
}

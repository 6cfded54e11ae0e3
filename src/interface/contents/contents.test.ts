import { describe, expect, it } from 'vitest';
import { everyRoute } from '../../../test/support/every-route.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

describe('table of contents', () => {
  const server = useTestServer();

  it.each(['html', 'json', 'xml'])('contains no link to a secret in %s', async (format) => {
    const secrets = everyRoute().filter(({ route }) => route.confidential);

    const { status, text } = await server.get(`.${format}`);

    expect(status).toBe(200);
    expect(text).toContain('/workspaces');
    expect(secrets.map(({ route }) => route.path)).toContain('/security/masterpw');
    for (const { route } of secrets) {
      expect(text).not.toContain(route.path);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { everyRoute } from '../../../test/support/every-route.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

describe('table of contents', () => {
  const server = useTestServer();

  it('links to the pages of the history, the doctor and the webhooks', async () => {
    const { text } = await server.get('.html');

    for (const path of ['history', 'doctor', 'webhooks']) {
      expect(text).toContain(`/geoserver/rest/${path}.html">${path}</a>`);
    }
  });

  it('has no path in OpenAPI whose example is the name of its variable', async () => {
    const { text } = await server.get('/openapi.json');
    const examples = [...text.matchAll(/\{"name":"(\w+)","in":"path".*?"example":"([^"]*)"/g)];

    expect(examples.length).toBeGreaterThan(20);
    expect(examples.filter(([, name, example]) => name === example).map(([, name]) => name)).toEqual([]);
    expect(text).not.toContain('/rest/webhooks/webhook.json');
  });

  it.each(['html', 'json', 'xml'])('contains no link to a secret in %s', async (format) => {
    const secrets = everyRoute().filter(({ method, route }) => method === 'GET' && route.confidential);

    const { status, text } = await server.get(`.${format}`);

    expect(status).toBe(200);
    expect(text).toContain('/workspaces');
    expect(secrets.map(({ route }) => route.path)).toContain('/security/masterpw');
    for (const { route } of secrets) {
      expect(text).not.toContain(route.path);
    }
  });
});
